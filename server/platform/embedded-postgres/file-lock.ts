import { readFile, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

export type Lock = { release(): Promise<void> }

/** Thrown when a lock is held. `pid` is the process id that the holder recorded, null when it could not be read. */
export class LockHeldError extends Error {
  readonly pid: number | null
  constructor(path: string, pid: number | null) {
    super(`${path} is locked by process ${pid ?? 'unknown'}`)
    this.pid = pid
  }
}

// The locks of a killed holder are released a moment after it ends.
const timeoutMs = 1_000
const sqliteBusy = 5

/**
 * Locks `path` for this process until released; the operating system releases it whenever the process ends. SQLite
 * serves only as a portable file lock: the file stays empty. This process must never open it by other means, because
 * closing any descriptor of a file drops all POSIX locks on it.
 * @throws LockHeldError
 */
export async function acquireLock(path: string): Promise<Lock> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const held = tryLock(path)
    if (held) {
      // The process id is used only in the error message of another process.
      await writeFile(`${path}.pid`, `${process.pid}\n`, { mode: 0o600 }).catch(() => {})
      return {
        async release() {
          await rm(`${path}.pid`, { force: true }).catch(() => {})
          held.close()
        },
      }
    }
    if (Date.now() > deadline) throw new LockHeldError(path, await readPid(`${path}.pid`))
    await delay(50)
  }
}

function tryLock(path: string): DatabaseSync | null {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    // A journal on the disk would be a second file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw new Error(`Can’t use the lock file ${path}: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    })
  }
}

async function readPid(path: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  return Number.isInteger(pid) ? pid : null
}
