import { sql } from 'kysely'
import type { Db, Tx } from '../db/pool.ts'
import { inSeconds } from '../db/sql.ts'
import { inTransaction } from '../db/transaction.ts'
import { defineSchedule } from '../jobs/job.ts'
import type { Log } from '../observability/log.ts'
import { type FileStorage, newFileKey, type SpooledFile, StorageUnavailableError } from './storage.ts'

/** A hold expires this long after its last renewal. */
const holdSeconds = 300
const renewEveryMs = 60_000

const renewRegularly = (log: Log, problem: string, renew: () => Promise<unknown>) =>
  setInterval(() => void renew().catch((error) => log.warn({ err: error }, problem)), renewEveryMs).unref()

const selectActiveHolds = (db: Db) =>
  db.selectFrom('deletion_holds').select('id').where('expires_at', '>', sql<Date>`now()`)

/**
 * Keeps every sweep from deleting files until the hold is disposed of or expires. Until then the storage keeps every file
 * that a database snapshot taken after this call references.
 */
export async function holdDeletions(db: Db, log: Log): Promise<AsyncDisposable> {
  await db.deleteFrom('deletion_holds').where('expires_at', '<=', sql<Date>`now()`).execute()
  const hold = db
    .insertInto('deletion_holds')
    .values({ expires_at: inSeconds(holdSeconds) })
    .returning('id')
  const { id } = await hold.executeTakeFirstOrThrow()
  const renew = db
    .updateTable('deletion_holds')
    .set({ expires_at: inSeconds(holdSeconds) })
    .where('id', '=', id)
  const problem = 'Couldn’t renew the deletion hold of a backup; the sweep may delete files it still needs'
  const renewal = renewRegularly(log, problem, () => renew.execute())
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewal)
      // Without a database the hold expires on its own.
      await db
        .deleteFrom('deletion_holds')
        .where('id', '=', id)
        .execute()
        .catch(() => {})
    },
  }
}

/** An unclaimed file is deleted this long after its upload last renewed the lease. */
const leaseSeconds = 300

/**
 * The files of one request that no note has claimed yet. Each key is stored in the database before the first byte of
 * its file, so that the sweep finds the file after any crash.
 */
export type PendingFiles = {
  /** Stores a file of the local disk. @returns its key. */
  store(file: SpooledFile): Promise<string>
  /** Call this inside the transaction that inserts the notes, with the keys they use. `discard` deletes the others. */
  claim(tx: Tx, keys: string[]): Promise<void>
  /**
   * Deletes every unclaimed file, once all calls of `store` have ended. Never rejects: the sweep deletes what remains.
   */
  discard(): Promise<void>
}

export function openPendingFiles(db: Db, files: FileStorage, log: Log): PendingFiles {
  const pending = new Set<string>()
  const stores: Promise<string>[] = []
  const problem = 'Couldn’t renew the lease of a pending upload'
  const renewal = renewRegularly(log, problem, async () => {
    if (pending.size === 0) return
    const leases = db.updateTable('file_deletions').set({ delete_after: inSeconds(leaseSeconds) })
    await leases.where('file_key', 'in', [...pending]).execute()
  })

  async function storeFile(file: SpooledFile) {
    const key = newFileKey()
    await db
      .insertInto('file_deletions')
      .values({ file_key: key, delete_after: inSeconds(leaseSeconds) })
      .execute()
    pending.add(key)
    try {
      await files.put(key, file)
    } catch (error) {
      // A store may still complete an upload that failed here, so the sweep deletes the file later.
      if (error instanceof StorageUnavailableError) pending.delete(key)
      throw error
    }
    return key
  }

  return {
    store(file) {
      const stored = storeFile(file)
      stores.push(stored)
      return stored
    },

    async claim(tx, keys) {
      const { numDeletedRows } = await tx.deleteFrom('file_deletions').where('file_key', 'in', keys).executeTakeFirst()
      if (numDeletedRows !== BigInt(keys.length)) throw new Error('A pending file was deleted before it was claimed')
      for (const key of keys) pending.delete(key)
    },

    async discard() {
      await Promise.allSettled(stores)
      clearInterval(renewal)
      if (pending.size === 0) return
      try {
        await deleteFiles(db, files, [...pending])
      } catch (error) {
        log.warn({ err: error }, 'Couldn’t delete the files of a rejected upload; the sweep will')
      }
    },
  }
}

/**
 * Deletes files before rows: a failure in between leaves the rows, and deleting a file again is no error. During a hold
 * all is left to the sweep.
 */
export async function deleteFiles(db: Db, files: FileStorage, keys: string[]): Promise<void> {
  if (await selectActiveHolds(db).executeTakeFirst()) return
  for (const key of keys) await files.delete(key)
  await db.deleteFrom('file_deletions').where('file_key', 'in', keys).execute()
}

/**
 * Deletes every due file, unless a hold is active. Servers that sweep at the same time share the work. Each file has
 * its own transaction: PostgreSQL would end a single one that waits for a slow storage many times, and nothing would be
 * done.
 * @returns the number of deleted files.
 */
export async function sweepFiles(db: Db, files: FileStorage, signal: AbortSignal): Promise<number> {
  for (let removed = 0; ; removed++) {
    if (signal.aborted || !(await sweepFile(db, files))) return removed
  }
}

const sweepFile = (db: Db, files: FileStorage): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const row = await tx
      .selectFrom('file_deletions')
      .select('file_key')
      .where('delete_after', '<=', sql<Date>`now()`)
      .where(({ not, exists }) => not(exists(selectActiveHolds(tx))))
      .orderBy('delete_after')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (row) await deleteFiles(tx, files, [row.file_key])
    return row !== undefined
  })

type SweepDeps = { db: Db; files: FileStorage; log: Log }

/** A storage may take a second per file. When a server dies, another one takes over before this timeout. */
const timeoutSeconds = 60 * 60

export const sweepFilesWork = defineSchedule(
  'sweep-files',
  '*/5 * * * *',
  async (deps: SweepDeps, signal) => {
    const removed = await sweepFiles(deps.db, deps.files, signal)
    if (removed > 0) deps.log.info({ removed }, 'Deleted files that belong to no note')
  },
  { timeoutSeconds },
)

export const fileJobs = [sweepFilesWork]
