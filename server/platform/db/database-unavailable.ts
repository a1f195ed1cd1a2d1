import { describeError, hasCode, type Log, throttleErrors } from '../observability/log.ts'

// PostgreSQL's classes of errors that say nothing about the query: connection, resources, operator intervention.
const awayClasses = ['08', '53', '57']
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
// The pg package has no codes for these.
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/** True when a query failed because PostgreSQL is away, full or restarting, and would succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isSqlState = code.length === 5 && 'severity' in error
  if (isSqlState && awayClasses.includes(code.slice(0, 2))) return code !== '57014'
  return awayCodes.has(code) || awayMessages.test(error.message)
}

const foreignKeyViolation = '23503'
/** Of what a student has or does, in whatever table. */
const ofAUser = /_(user|owner|reader|reporter)_id_fkey$/

/** True where something was to be kept for an account that has gone meanwhile. */
export const isMissingUserError = (error: unknown): boolean =>
  hasCode(error, foreignKeyViolation) && 'constraint' in error && ofAUser.test(String(error.constraint))

/**
 * Does again what fails for a database that is away: the process is alive meanwhile, but not ready. Each reason is
 * logged when it first appears, and now and then while it stays: waiting does not help against a full disk.
 */
export async function retryUntilDatabaseIsUp(
  log: Log,
  work: () => Promise<void>,
  { retryMs = 1_000, explain = describeError as (error: Error) => string } = {},
): Promise<void> {
  const report = throttleErrors((error) => log.warn(`Waiting for the database: ${explain(error)}`))
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && isDatabaseUnavailable(error))) throw error
      report(error)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}
