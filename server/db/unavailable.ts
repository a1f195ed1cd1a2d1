// PostgreSQL's classes of errors that say nothing about the query: connection, resources, operator intervention.
const awayClasses = ['08', '53', '57']
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])
// The pg package has no codes for these.
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/** True when a query failed because PostgreSQL is away, full or restarting, and would succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isSqlState = code.length === 5 && 'severity' in error
  if (isSqlState && awayClasses.includes(code.slice(0, 2))) return code !== '57014'
  return awayCodes.has(code) || awayMessages.test(error.message)
}
