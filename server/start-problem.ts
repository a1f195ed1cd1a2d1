import { resolve } from 'node:path'
import { entries } from './config.ts'

type SystemError = Error & { code?: string; syscall?: string; path?: string; hostname?: string }

const refusedByPostgres: Record<string, string> = {
  '28P01': 'DATABASE_URL has a password that PostgreSQL does not take. Characters such as # are percent-encoded there.',
  '28000': 'DATABASE_URL names a user that PostgreSQL does not let in.',
  '3D000': 'DATABASE_URL names a database that is not there. Create it first.',
  '42501': 'The user of DATABASE_URL may not do in its database what Lectern has to: it should own it.',
}
const ofTheDisk = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EEXIST', 'ELOOP', 'EDQUOT'])

/** Why a start failed, by the variable that has to do with it, with what to do. The error's own text where none has. */
export function explainStart(error: Error, env: Record<string, string | undefined>): string {
  const { code = '', syscall, path, hostname, message } = error as SystemError
  const because = `(${message})`
  const refusal = refusedByPostgres[code]
  if (refusal) return `${refusal} ${because}`
  if (code === 'EADDRINUSE') return `PORT is in use by another program. Set PORT to another one ${because}.`
  if (syscall === 'listen' && code === 'EACCES') {
    return `PORT may not be listened on by this user: below 1024 that needs rights. Set PORT to a higher one ${because}.`
  }
  if (code === 'EADDRNOTAVAIL') return `HOST is no address of this machine ${because}.`
  if (syscall === 'getaddrinfo') {
    const isDatabases = hostname !== undefined && hostname !== env.HOST && env.DATABASE_URL?.includes(hostname)
    return `${isDatabases ? 'DATABASE_URL' : 'HOST'} names a host that nobody knows ${because}.`
  }
  if (code === 'ENOSPC') return `The disk that DATA_DIR is on is full ${because}.`
  const dataDir = resolve(env.DATA_DIR?.trim() || entries.DATA_DIR.default)
  if (ofTheDisk.has(code) && path && (path.startsWith(dataDir) || dataDir.startsWith(path))) {
    return `DATA_DIR cannot be used by this user. Set it to a folder that belongs to whom Lectern runs as ${because}.`
  }
  return message
}
