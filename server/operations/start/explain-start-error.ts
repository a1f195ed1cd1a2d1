import { resolve, sep } from 'node:path'
import { ConfigError, configEntries } from '../../config.ts'
import { describeError } from '../../platform/observability/log.ts'

type SystemError = Error & { code?: string; syscall?: string; path?: string; hostname?: string; port?: number }

const refusedByPostgres: Record<string, string> = {
  '28P01': 'PostgreSQL rejected the password in DATABASE_URL. Percent-encode characters such as #.',
  '28000': 'PostgreSQL rejected the user in DATABASE_URL.',
  '3D000': 'The database in DATABASE_URL doesn’t exist. Create it first.',
  '42501': 'The user in DATABASE_URL lacks permissions. Make it the owner of the database.',
}
const otherSecret =
  'SECRET doesn’t match the server that runs on DATA_DIR, so its database rejected the password. Use the server’s SECRET and DATA_DIR.'
const networkCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])
const diskCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'EDQUOT'])
const permissionCodes = new Set(['EACCES', 'EPERM', 'EROFS'])

const isInside = (folder: string, path: string) => `${path}${sep}`.startsWith(`${folder}${sep}`)

type Env = Record<string, string | undefined>
/** `isMisconfigured`: another start does not help, because PORT, HOST or DATA_DIR must be changed. */
type Explanation = { text: string; isMisconfigured?: boolean }

/** Explains why a start failed, by the responsible variable and with advice; otherwise returns the error's own text. */
export function explainStartError(error: Error, env: Env): Explanation {
  const { code = '', syscall, path, hostname, port, message } = error as SystemError
  const because = `(${describeError(error)})`
  // A package is missing, or its program for this system, which npm leaves out with `--omit=optional`.
  const missing = /^Cannot find (?:(?:package|module) '[^']+'|native binding)/.exec(message)?.[0]
  if (missing) return { text: incompleteInstallError(missing).message, isMisconfigured: true }
  const refusal = refusedByPostgres[code]
  if (code === '28P01' && !env.DATABASE_URL) return { text: `${otherSecret} ${because}` }
  if (refusal) return { text: `${refusal} ${because}` }
  const setting = (text: string): Explanation => ({ text: `${text} ${because}.`, isMisconfigured: true })
  const portName = port !== undefined && String(port) === env.METRICS_PORT?.trim() ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE') return setting(`${portName} is already in use. Choose another port`)
  if (syscall === 'listen' && code === 'EACCES') {
    return setting(`No permission to listen on ${portName}. Ports below 1024 need extra rights. Choose a higher one`)
  }
  const hostVariable = portName === 'PORT' ? 'HOST' : 'METRICS_HOST'
  if (code === 'EADDRNOTAVAIL') return setting(`${hostVariable} isn’t an address of this machine`)
  if (syscall === 'getaddrinfo') {
    return { text: `Can’t resolve the host in ${nameOfHost(hostname, env)} ${because}.` }
  }
  if (networkCodes.has(code) && env.DATABASE_URL) {
    return { text: `The server in DATABASE_URL isn’t responding ${because}.` }
  }
  // PostgreSQL and initdb report a full disk without a code or with one of their own.
  if (code === 'ENOSPC' || code === '53100' || /No space left on device/.test(message)) {
    const disk = code === '53100' && env.DATABASE_URL ? 'PostgreSQL in DATABASE_URL' : 'DATA_DIR'
    return { text: `No space left on the disk of ${disk}. Free up space, then start again.` }
  }
  const dataDir = resolve(env.DATA_DIR?.trim() || configEntries.DATA_DIR.default)
  // DATA_DIR, or a folder that contains it, could not be created. A file that is missing inside of it is another problem.
  const isOfDataDir = path && (isInside(path, dataDir) || (isInside(dataDir, path) && code !== 'ENOENT'))
  if (diskCodes.has(code) && isOfDataDir) {
    const problem = permissionCodes.has(code) ? 'No permission to use' : 'Can’t use'
    return setting(`${problem} DATA_DIR. Choose a folder owned by the user Lectern runs as`)
  }
  return { text: message }
}

/** Returns the variable with a host that the system cannot resolve. */
function nameOfHost(hostname: string | undefined, env: Env): string {
  if (hostname === undefined || hostname === env.HOST) return 'HOST'
  if (hostname === env.METRICS_HOST) return 'METRICS_HOST'
  return env.DATABASE_URL?.includes(hostname) ? 'DATABASE_URL' : 'HOST'
}

/** Reports a missing part of Lectern, which another start would not fix. */
export const incompleteInstallError = (reason: string): ConfigError =>
  new ConfigError(`The installation is incomplete (${reason}). Install Lectern again, with npm ci in a checkout.`)
