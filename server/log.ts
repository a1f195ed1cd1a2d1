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
