import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'

/** Returns the user's export unless it has expired. */
export async function findExport(db: Db, userId: string) {
  const row = await db
    .selectFrom('exports')
    .select(['id', 'requested_at as askedAt', 'file_key as fileKey', 'bytes', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(expires_at IS NULL OR expires_at > now())`)
    .executeTakeFirst()
  return row ?? null
}

/** Replaces an earlier export and its file. @returns the id. */
export async function replaceExport(tx: Tx, userId: string): Promise<string> {
  await tx.deleteFrom('exports').where('user_id', '=', userId).execute()
  const row = await tx.insertInto('exports').values({ user_id: userId }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** Returns the user whose export is still to be built. */
export async function findPendingExport(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('exports')
    .select('user_id')
    .where('id', '=', id)
    .where('file_key', 'is', null)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** @returns false when the export is already built or no longer exists. */
export async function finishExport(
  tx: Tx,
  id: string,
  { fileKey, bytes, ttlSeconds }: { fileKey: string; bytes: number; ttlSeconds: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('exports')
    .set({ file_key: fileKey, bytes, expires_at: inSeconds(ttlSeconds) })
    .where('id', '=', id)
    .where('file_key', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns the user to notify and the expiry of the export. */
export async function findFinishedExport(db: Db, id: string): Promise<{ userId: string; expiresAt: Date } | null> {
  const row = await db
    .selectFrom('exports')
    .select(['user_id as userId', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.expiresAt ? { userId: row.userId, expiresAt: row.expiresAt } : null
}

export async function deleteOldExports(db: Db): Promise<void> {
  await db.deleteFrom('exports').where('expires_at', '<', sql<Date>`now()`).execute()
}
