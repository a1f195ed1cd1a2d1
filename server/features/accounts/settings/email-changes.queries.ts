import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'

/** Replaces any earlier change, whose link becomes void. @returns the id. */
export async function replaceEmailChange(tx: Tx, userId: string, email: string, ttlSeconds: number): Promise<string> {
  await tx.deleteFrom('email_changes').where('user_id', '=', userId).execute()
  const row = await tx
    .insertInto('email_changes')
    .values({ user_id: userId, email, expires_at: inSeconds(ttlSeconds) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** @returns false when no change to this address is pending. */
export function renewEmailChange(tx: Tx, userId: string, email: string, ttlSeconds: number): Promise<boolean> {
  return hasChangedRow(
    tx
      .updateTable('email_changes')
      .set({ expires_at: inSeconds(ttlSeconds) })
      .where('user_id', '=', userId)
      .where('email', '=', email)
      .where('confirmed_at', 'is', null),
  )
}

/** A change is pending until it is confirmed or expires. */
export async function findPendingChange(db: Db, by: { userId: string } | { id: string }) {
  const select = db
    .selectFrom('email_changes')
    .select(['user_id as userId', 'email', 'expires_at as expiresAt'])
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
  const row = await ('id' in by
    ? select.where('id', '=', by.id)
    : select.where('user_id', '=', by.userId)
  ).executeTakeFirst()
  return row ?? null
}

export async function saveChangeToken(db: Db, id: string, tokenHash: Buffer): Promise<void> {
  await db.updateTable('email_changes').set({ token_hash: tokenHash }).where('id', '=', id).execute()
}

/** Returns the change of an unexpired link, also when it is already confirmed. */
export async function findChangeOfToken(db: Db, tokenHash: Buffer) {
  const row = await db
    .selectFrom('email_changes')
    .select(['user_id as userId', 'email'])
    .select(sql<boolean>`confirmed_at IS NOT NULL`.as('isConfirmed'))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? null
}

export async function markConfirmed(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('email_changes').set({ confirmed_at: sql<Date>`now()` }).where('user_id', '=', userId).execute()
}

export async function deleteExpiredChanges(db: Db): Promise<void> {
  await db.deleteFrom('email_changes').where('expires_at', '<', sql<Date>`now()`).execute()
}
