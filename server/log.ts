import { type BaseLogger, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** What everything that logs is given. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>

/** JSON lines in production, readable ones elsewhere. Nothing logged holds a token, an address or a name of a person. */
export function createLogger({ logLevel, production }: { logLevel: string; production: boolean }): Logger {
  const options = { level: logLevel, base: undefined }
  if (production) return pino(options)
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
}
