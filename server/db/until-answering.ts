import { describeError, type Log } from '../log.ts'
import { quietly } from '../quietly.ts'
import { isDatabaseAway } from './unavailable.ts'

/**
 * Does again what fails for a database that is away: the process is alive meanwhile, but not ready. Each reason is
 * logged when it first appears, and now and then while it stays: waiting does not help against a full disk.
 */
export async function untilDatabaseAnswers(
  log: Log,
  work: () => Promise<void>,
  { retryMs = 1_000, explain = describeError as (error: Error) => string } = {},
): Promise<void> {
  const report = quietly((error) => log.warn(`Waiting for the database: ${explain(error)}`))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && isDatabaseAway(error))) throw error
      report(error)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
