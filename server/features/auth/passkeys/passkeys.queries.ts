import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'

/** @param handle is stored unless the user already has one. @returns the user's handle. */
export async function getOrCreateUserHandle(tx: Tx, userId: string, handle: Buffer): Promise<Buffer> {
  const row = await tx
    .insertInto('webauthn_user_handles')
    .values({ user_id: userId, handle })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return row.handle
}

/** The oldest passkey comes first. */
export function findPasskeysOf(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .select(['credential_id as credentialId', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export type NewRow = {
  userId: string
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  transports: string[]
  name: string
}

/** @returns null when the credential id is taken. */
export async function insertPasskey(tx: Tx, row: NewRow): Promise<{ id: string; createdAt: Date } | null> {
  const inserted = await tx
    .insertInto('passkeys')
    .values({
      user_id: row.userId,
      credential_id: row.credentialId,
      public_key: row.publicKey,
      sign_count: row.signCount,
      transports: row.transports,
      name: row.name,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'created_at as createdAt'])
    .executeTakeFirst()
  return inserted ?? null
}

export async function findPasskey(db: Db, credentialId: Buffer) {
  const row = await db
    .selectFrom('passkeys as p')
    .innerJoin('webauthn_user_handles as o', 'o.user_id', 'p.user_id')
    .select(['p.id', 'p.user_id as userId', 'p.public_key as publicKey', 'p.sign_count as signCount', 'o.handle'])
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst()
  return row ?? null
}

/** @returns false when the passkey was deleted, or its counter did not grow, which reveals a copy. */
export async function markUsed(tx: Tx, id: string, signCount: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(sign_count < ${signCount}::bigint OR sign_count = 0 AND ${signCount}::bigint = 0)`)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns null when the user has no such passkey. */
export async function renamePasskey(db: Db, userId: string, id: string, name: string) {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .executeTakeFirst()
  return row ?? null
}

/** @returns whether the passkey existed. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** @param sessionId is the session that adds a passkey; null for a login. */
export async function insertChallenge(
  db: Db,
  challenge: { hash: Buffer; sessionId: string | null; ttlSeconds: number },
): Promise<void> {
  const { hash, sessionId, ttlSeconds } = challenge
  await db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hash, session_id: sessionId, expires_at: inSeconds(ttlSeconds) })
    .execute()
}

/** @returns whether an unexpired challenge existed for this purpose. */
export async function consumeChallenge(db: Db, hash: Buffer, sessionId: string | null): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('session_id', 'is not distinct from', sessionId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', sql<Date>`now()`).execute()
}
