import { type BaseLogger, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

/** Fields of PostgreSQL errors with values of rows, which may identify a person. */
const rowValueKeys: ReadonlySet<string> = new Set(['detail', 'where', 'internalQuery'])

/** Errors are logged in full except for values of rows. Code can throw anything, even null. */
export const serializers = {
  err(error: unknown): unknown {
    if (!(error instanceof Error)) return error
    return Object.fromEntries(Object.entries(pino.stdSerializers.err(error)).filter(([key]) => !rowValueKeys.has(key)))
  },
}

/**
 * Writes JSON lines in production, readable ones elsewhere. No log entry contains a token, an address or a name of a
 * person.
 * @param to `stderr` for commands whose result is printed.
 */
export function createLogger(
  { logLevel, production }: { logLevel: string; production: boolean },
  to: 'stdout' | 'stderr' = 'stdout',
): Logger {
  const options = { level: logLevel, base: undefined, serializers }
  const destination = process[to].fd
  if (production) return pino(options, pino.destination({ dest: destination, sync: true }))
  return pino(
    options,
    pretty({ destination, sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }),
  )
}

/**
 * Describes an expected failure in one line: its message, or its code when that is empty, as with refused connections.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const firstPauseMs = 10_000
const longestPauseMs = 600_000
/** After this long without an error, the next one starts a new series. */
const resetAfterMs = 120_000

type ErrorSeries = { reportedAt: number; seenAt: number; pauseMs: number; times: number }

/**
 * Reports the first of a series of equal errors immediately, then a summary with their count after 10 s, 20 s and so
 * on, at most every 10 minutes. During a database outage every worker fails at every poll, which would flood the log.
 */
export function throttleErrors(
  report: (error: Error, times: number) => void,
  now: () => number = () => performance.now(),
): (error: Error) => void {
  const seen = new Map<string, ErrorSeries>()
  return (error) => {
    const key = getKind(error)
    const at = now()
    let series = seen.get(key)
    if (!series || at - series.seenAt > resetAfterMs) {
      series = { reportedAt: Number.NEGATIVE_INFINITY, seenAt: at, pauseMs: firstPauseMs / 2, times: 0 }
      seen.set(key, series)
    }
    series.seenAt = at
    series.times += 1
    if (at - series.reportedAt < series.pauseMs) return
    report(error, series.times)
    series.reportedAt = at
    series.pauseMs = Math.min(series.pauseMs * 2, longestPauseMs)
    series.times = 0
  }
}

/** Returns the error's code or else its message, without the worker that pg-boss names in it. */
function getKind(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message.replace(/ \(Queue: .*$/, '')
}

/** True for an error of Node, of PostgreSQL or of a library that carries this code. */
export const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code
