import { type BaseLogger, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** What everything that logs is given. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

/** JSON lines in production, readable ones elsewhere. Nothing logged holds a token, an address or a name of a person. */
export function createLogger({ logLevel, production }: { logLevel: string; production: boolean }): Logger {
  const options = { level: logLevel, base: undefined }
  if (production) return pino(options)
  return pino(options, pretty({ sync: true, singleLine: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
}

/** What an expected failure is in one line: its text, or its code where the text is empty as with refused connections. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}
