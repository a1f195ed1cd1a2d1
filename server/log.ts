import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** JSON lines in production, readable ones elsewhere. Nothing logged holds a token, an address or a name of a person. */
export function createLogger({ logLevel, production }: Config): Logger {
  const options = { level: logLevel, base: undefined }
  if (production) return pino(options)
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
}
