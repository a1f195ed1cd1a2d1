import { describeError, hasCode, type Log, throttleErrors } from '../observability/log.ts'

/** PostgreSQL's code of a statement that exceeded its timeout. */
export const queryCanceled = '57014'

// PostgreSQL's error classes for connections, resources and operator intervention, which do not depend on the query.
const awayClasses = ['08', '53', '57']
// With 25006, a PostgreSQL that a proxy already calls the primary is still a replica.
const awayCodes = new Set(['25006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
// The pg package has no codes for these errors.
const awayMessages =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/** True when a query failed because PostgreSQL is unreachable, full, restarting or taking over, so that it may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isSqlState = code.length === 5 && 'severity' in error
  if (isSqlState && awayClasses.includes(code.slice(0, 2))) return code !== queryCanceled
  return awayCodes.has(code) || awayMessages.test(error.message)
}

const foreignKeyViolation = '23503'
/** Foreign keys of a user's rows, in any table. */
const userForeignKey = /_(user|owner|reader|reporter)_id_fkey$/

/** True for the foreign-key violation of a row whose user was deleted in the meantime. */
export const isMissingUserError = (error: unknown): boolean =>
  hasCode(error, foreignKeyViolation) && 'constraint' in error && userForeignKey.test(String(error.constraint))

/**
 * Repeats work that fails because the database is unavailable; meanwhile the process is alive but not ready. Each
 * reason is logged when it first appears and again from time to time, because waiting does not help against a full
 * disk.
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
