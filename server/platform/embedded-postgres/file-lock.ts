import { readFile, rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

export type Lock = { release(): Promise<void> }

/** Thrown when a lock is held. `pid` is what the holder wrote down, null when it could not be read. */
export class LockHeldError extends Error {
  readonly pid: number | null
  constructor(path: string, pid: number | null) {
    super(`${path} is locked by process ${pid ?? 'unknown'}`)
    this.pid = pid
  }
}

// A killed holder's locks go a moment after it does.
const patienceMs = 1_000
const sqliteBusy = 5

/**
 * Holds `path` for this process until released; the operating system releases it when the process ends, however it
 * ends. SQLite is used for nothing but its portable file lock: the file stays empty. It must never be opened by other
 * means in this process, since closing any descriptor of a file drops all POSIX locks on it.
 * @throws LockHeldError
 */
export async function acquireLock(path: string): Promise<Lock> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const held = tryLock(path)
    if (held) {
      // For the other's message only.
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
    // The journal would be a second file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw new Error(`The lock file ${path} cannot be used: ${error instanceof Error ? error.message : error}.`, {
      cause: error,
    })
  }
}

async function readPid(path: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10)
  return Number.isInteger(pid) ? pid : null
}
