import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/time.ts'

/** The viewer's own, unless it is too old. */
export async function findExport(db: Db, userId: string) {
  const row = await db
    .selectFrom('exports')
    .select(['id', 'asked_at as askedAt', 'file_key as fileKey', 'bytes', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(expires_at IS NULL OR expires_at > now())`)
    .executeTakeFirst()
  return row ?? null
}

/** In the place of an earlier one, whose file goes. @returns its id. */
export async function replaceExport(tx: Tx, userId: string): Promise<string> {
  await tx.deleteFrom('exports').where('user_id', '=', userId).execute()
  const row = await tx.insertInto('exports').values({ user_id: userId }).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** Whose export waits to be made. */
export async function findPendingExport(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('exports')
    .select('user_id')
    .where('id', '=', id)
    .where('file_key', 'is', null)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** @returns false when it is made already, or nobody waits for it any more. */
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

/** Whom to tell of an export, and until when it is there. */
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
