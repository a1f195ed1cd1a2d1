import type { LogEvent } from 'kysely'
import type { Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import { getCurrentContext } from '../observability/tracing.ts'

/** Maximum length of a statement in the log; its beginning identifies it. */
const maxLength = 1_000

/**
 * Measures every statement and logs slow ones with their request or job. The SQL text contains no value that a user
 * typed.
 * @param slowMs 0 disables the log.
 */
export function observeStatements({ metrics }: Telemetry, log: Log, slowMs: number): (event: LogEvent) => void {
  return ({ level, query, queryDurationMillis: ms }) => {
    const work = getCurrentContext()
    metrics.statements.observe(ms / 1000)
    if (level === 'error') metrics.failedStatements.inc()
    work?.span.record({
      name: query.sql.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '',
      ms,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
      hasFailed: level === 'error',
    })
    if (slowMs === 0 || ms < slowMs) return
    metrics.slowStatements.inc()
    const statement = query.sql.replace(/\s+/g, ' ').slice(0, maxLength)
    log.warn({ ms: Math.round(ms), statement, ...(work && { [idNames[work.kind]]: work.id }) }, 'Slow query')
  }
}

/** The field names that other log lines use. */
const idNames = { request: 'reqId', job: 'jobId' }
