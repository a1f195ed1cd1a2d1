import { type BaseLogger, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** What everything that logs is given. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

/** What PostgreSQL says of a failure beside its message and code: values of rows, which may name anybody. */
const ofRows: ReadonlySet<string> = new Set(['detail', 'where', 'internalQuery'])

/** Errors are logged whole, but for what they say of rows. Anything can be thrown, even null. */
export const serializers = {
  err(error: unknown): unknown {
    if (!(error instanceof Error)) return error
    return Object.fromEntries(Object.entries(pino.stdSerializers.err(error)).filter(([key]) => !ofRows.has(key)))
  },
}

/**
 * JSON lines in production, readable ones elsewhere. Nothing logged holds a token, an address or a name of a person.
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

/** What an expected failure is in one line: its text, or its code where the text is empty as with refused connections. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const firstPauseMs = 10_000
const longestPauseMs = 600_000
/** After so long without an error the next one is a new series. */
const overAfterMs = 120_000

type ErrorSeries = { reportedAt: number; seenAt: number; pauseMs: number; times: number }

/**
 * Passes on the first of a series of equal errors at once, and then again after 10 s, 20 s and so on up to every 10
 * minutes, with how many there were: while PostgreSQL is away every worker fails at every poll.
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
    if (!series || at - series.seenAt > overAfterMs) {
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

/** The error's code or else its text, without the worker that pg-boss names in it. */
function getKind(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message.replace(/ \(Queue: .*$/, '')
}

/** True for an error of Node, of PostgreSQL or of a library that carries this code. */
export const hasCode = (error: unknown, code: string): error is Error =>
  error instanceof Error && 'code' in error && error.code === code
