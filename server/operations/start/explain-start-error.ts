import { resolve } from 'node:path'
import { configEntries } from '../../config.ts'
import { describeError } from '../../platform/observability/log.ts'

type SystemError = Error & { code?: string; syscall?: string; path?: string; hostname?: string; port?: number }

const refusedByPostgres: Record<string, string> = {
  '28P01': 'DATABASE_URL has a password that PostgreSQL does not take. Characters such as # are percent-encoded there.',
  '28000': 'DATABASE_URL names a user that PostgreSQL does not let in.',
  '3D000': 'DATABASE_URL names a database that is not there. Create it first.',
  '42501': 'The user of DATABASE_URL may not do in its database what Lectern has to: it should own it.',
}
const otherSecret =
  'SECRET is another one than that of the server which runs on DATA_DIR: its database does not take the password that is derived from it. Set SECRET and DATA_DIR as the server has them.'
const networkCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])
const diskCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'EDQUOT'])

type Env = Record<string, string | undefined>
type Explanation = { text: string; isSetting?: boolean }

/** Explains why a start failed, by the responsible variable and with advice; otherwise returns the error's own text. */
export const explainStartError = (error: Error, env: Env): string => explain(error, env).text

/** Whether another start does not help, because PORT, HOST or DATA_DIR must be changed. */
export const isWrongSetting = (error: Error, env: Env): boolean => explain(error, env).isSetting ?? false

function explain(error: Error, env: Env): Explanation {
  const { code = '', syscall, path, hostname, port, message } = error as SystemError
  const because = `(${describeError(error)})`
  const refusal = refusedByPostgres[code]
  if (code === '28P01' && !env.DATABASE_URL) return { text: `${otherSecret} ${because}` }
  if (refusal) return { text: `${refusal} ${because}` }
  const setting = (text: string): Explanation => ({ text: `${text} ${because}.`, isSetting: true })
  const portName = port !== undefined && String(port) === env.METRICS_PORT?.trim() ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE') return setting(`${portName} is in use by another program. Set it to another one`)
  if (syscall === 'listen' && code === 'EACCES') {
    return setting(
      `${portName} may not be listened on by this user: below 1024 that needs rights. Set it to a higher one`,
    )
  }
  const hostVariable = portName === 'PORT' ? 'HOST' : 'METRICS_HOST'
  if (code === 'EADDRNOTAVAIL') return setting(`${hostVariable} is no address of this machine`)
  if (syscall === 'getaddrinfo') {
    return { text: `${nameOfHost(hostname, env)} names a host that nobody knows ${because}.` }
  }
  if (networkCodes.has(code) && env.DATABASE_URL) {
    return { text: `DATABASE_URL names a server that does not answer ${because}.` }
  }
  // PostgreSQL and initdb report a full disk without a code or with one of their own.
  if (code === 'ENOSPC' || code === '53100' || /No space left on device/.test(message)) {
    const disk = code === '53100' && env.DATABASE_URL ? 'PostgreSQL in DATABASE_URL' : 'DATA_DIR'
    return { text: `The disk that ${disk} is on is full. Make room, then start again.` }
  }
  const dataDir = resolve(env.DATA_DIR?.trim() || configEntries.DATA_DIR.default)
  if (diskCodes.has(code) && path && (path.startsWith(dataDir) || dataDir.startsWith(path))) {
    return setting('DATA_DIR cannot be used by this user. Set it to a folder that belongs to whom Lectern runs as')
  }
  return { text: message }
}

/** Returns the variable with a host that the system cannot resolve. */
function nameOfHost(hostname: string | undefined, env: Env): string {
  if (hostname === undefined || hostname === env.HOST) return 'HOST'
  if (hostname === env.METRICS_HOST) return 'METRICS_HOST'
  return env.DATABASE_URL?.includes(hostname) ? 'DATABASE_URL' : 'HOST'
}
