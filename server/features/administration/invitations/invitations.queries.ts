import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'

export async function insertInvitation(
  tx: Tx,
  { email, tokenHash, ttlSeconds }: { email: string | null; tokenHash: Buffer | null; ttlSeconds: number },
): Promise<string> {
  const row = await tx
    .insertInto('invitations')
    .values({ email, token_hash: tokenHash, expires_at: inSeconds(ttlSeconds) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const isValid = sql<boolean>`(used_at IS NULL AND expires_at > now())`

/** Other invitations of this address wait until the transaction ends. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 0))`.execute(tx)
}

export async function isInvited(tx: Tx, email: string): Promise<boolean> {
  const found = tx.selectFrom('invitations').select('id').where('email', '=', email).where(isValid).limit(1)
  return (await found.executeTakeFirst()) !== undefined
}

/** @returns false when the invitation is not valid or was not mailed. */
export async function extendInvitation(tx: Tx, id: string, ttlSeconds: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ expires_at: inSeconds(ttlSeconds) })
    .where('id', '=', id)
    .where('email', 'is not', null)
    .where(isValid)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** An invitation withdrawn or used meanwhile is not mailed. @returns the address to mail it to. */
export async function saveToken(db: Db, id: string, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where(isValid)
    .returning('email')
    .executeTakeFirst()
  return row?.email ?? null
}

export async function findInvitation(db: Db, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where(isValid)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Of parallel callers, only one gets true. Call this in the transaction that creates the account. */
export async function consumeInvitation(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isValid)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns false when the invitation is not valid. */
export async function expireInvitation(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ expires_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(isValid)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The last invitation of a page. */
export type Place = [state: 'waiting' | 'used', createdAt: string, id: string]

/** Valid invitations come before used ones, the newest first. */
export async function findInvitations(db: Db, after: Place | undefined, limit: number) {
  const [state, createdAt, id] = after ?? []
  const isFurther =
    after === undefined
      ? sql`true`
      : sql`((used_at IS NOT NULL) > ${state === 'used'} OR (used_at IS NOT NULL) = ${state === 'used'}
          AND (created_at < ${createdAt} OR created_at = ${createdAt} AND id > ${id}))`
  const { rows } = await sql<{
    id: string
    email: string | null
    createdAt: Date
    expiresAt: Date
    usedAt: Date | null
  }>`
    SELECT id, email, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt" FROM invitations
     WHERE (used_at IS NOT NULL OR expires_at > now()) AND ${isFurther}
     ORDER BY used_at IS NOT NULL, created_at DESC, id LIMIT ${sql.lit(limit)}`.execute(db)
  return rows
}

export async function deleteOldInvitations(db: Db): Promise<void> {
  await sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`.execute(db)
}
