import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { selectLogin, selectPublicUsers } from '../../accounts/users/users.ts'
import { comparedHashes } from '../passwords/hasher.ts'
import type { AccessClaims } from './access-token.ts'

/** `unusedRotation` is the number of the newest refresh token while it is unused. */
export type ActiveSession = Viewer & { isLimited: boolean; unusedRotation: number | null }

/** Returns the user of an active session, and whether it is the limited one of a suspended user. */
export async function findActiveSession(db: Db, sessionId: string): Promise<ActiveSession | null> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin(selectPublicUsers.as('u'), 'u.id', 's.user_id')
    .select(['u.id', 'u.role', 's.is_limited as isLimited'])
    .select(sql<number | null>`CASE WHEN NOT s.is_rotation_used THEN s.rotation END`.as('unusedRotation'))
    .where('s.id', '=', sessionId)
    .where('s.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? null
}

export async function markRotationUsed(db: Db, { sessionId, rotation }: AccessClaims): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ is_rotation_used: true })
    .where('id', '=', sessionId)
    .where('rotation', '=', rotation)
    .execute()
}

type NewSession = {
  /** The label that the user sees. */
  device?: string | null
  /** Set for a limited session. It ends at `until` at the latest; null means unknown. */
  limited?: { until: Date | null } | undefined
  /** The hash of its first refresh token. */
  tokenHash?: Buffer
}

/** One statement saves a round trip to PostgreSQL. @returns the id. */
export async function insertSession(
  tx: Tx,
  userId: string,
  ttlSeconds: number,
  { device = null, limited, tokenHash }: NewSession = {},
): Promise<string> {
  const expiresAt = sql`least(${inSeconds(ttlSeconds)}, ${limited?.until ?? null}::timestamptz)`
  const hash = sql`${tokenHash ?? null}::bytea`
  const { rows } = await sql<{ id: string }>`
    WITH session AS (
      INSERT INTO sessions (user_id, expires_at, device, is_limited)
      VALUES (${userId}, ${expiresAt}, ${device}, ${limited !== undefined}) RETURNING id),
    token AS (
      INSERT INTO refresh_tokens (session_id, token_hash) SELECT id, ${hash} FROM session WHERE ${hash} IS NOT NULL)
    SELECT id FROM session`.execute(tx)
  return rows[0]?.id ?? ''
}

export type PresentedToken = {
  sessionId: string
  rotation: number
  rotatedSecondsAgo: number | null
  /** The token was replaced last, and neither its successor nor the access token issued with that was used. */
  isSuccessorUnused: boolean
}

/** Returns the active session of a refresh token. It waits for a parallel rotation of the session. */
export async function lockSessionOfToken(tx: Tx, tokenHash: Buffer): Promise<PresentedToken | null> {
  const { rows } = await sql<PresentedToken>`
    SELECT s.id AS "sessionId", s.rotation, NOT s.is_rotation_used AND t.successor = s.rotation AS "isSuccessorUnused",
           extract(epoch FROM clock_timestamp() - t.rotated_at)::float8 AS "rotatedSecondsAgo"
      FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
     WHERE t.token_hash = ${tokenHash} AND s.expires_at > now()
       FOR UPDATE OF s, t`.execute(tx)
  return rows[0] ?? null
}

/** Returns the number of a token's successor; null for the newest token, undefined for an unknown one. */
export async function findSuccessor(tx: Tx, tokenHash: Buffer): Promise<number | null | undefined> {
  const row = await tx
    .selectFrom('refresh_tokens')
    .select('successor')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.successor
}

type Rotation = AccessClaims & { tokenHash: Buffer; successorHash: Buffer; ttlSeconds: number }

/** In place of the number of a successor: this token was never used, so if it is presented later, it was stolen. */
const discarded = -1

/** Replaces a refresh token and its successor, if it has one. A limited session keeps its original end. */
export async function rotateToken(
  tx: Tx,
  { sessionId, rotation, tokenHash, successorHash, ttlSeconds }: Rotation,
): Promise<void> {
  await sql`
    UPDATE refresh_tokens SET rotated_at = clock_timestamp(), successor = ${discarded}
     WHERE session_id = ${sessionId} AND rotated_at IS NULL AND token_hash <> ${tokenHash}`.execute(tx)
  await sql`
    WITH rotated AS (
      UPDATE refresh_tokens SET rotated_at = clock_timestamp(), successor = ${rotation} WHERE token_hash = ${tokenHash}),
    inserted AS (INSERT INTO refresh_tokens (session_id, token_hash) VALUES (${sessionId}, ${successorHash}))
    UPDATE sessions SET rotation = ${rotation}, is_rotation_used = false, last_used_at = now(),
                        expires_at = CASE WHEN is_limited THEN expires_at ELSE ${inSeconds(ttlSeconds)} END
     WHERE id = ${sessionId}`.execute(tx)
}

/** The session used last comes first. */
export function findSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at as startedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

export async function deleteSessionsOfTokens(
  db: Db,
  { tokenHash, sessionId }: { tokenHash: Buffer | null; sessionId: string | null },
): Promise<void> {
  await sql`
    DELETE FROM sessions
     WHERE id = ${sessionId} OR id IN (SELECT session_id FROM refresh_tokens WHERE token_hash = ${tokenHash})`.execute(
    db,
  )
}

/** Also deletes those tokens of active sessions that were replaced so long ago that no browser still holds them. */
export async function deleteExpiredSessions(db: Db, cookieTtlSeconds: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('refresh_tokens').where('rotated_at', '<', inSeconds(-cookieTtlSeconds)).execute()
}

/**
 * Returns the account with this email, else its pending registrations, the newest first. One statement takes the same
 * time for all; `accounts/`, which owns the table of registrations, depends on this feature and cannot be called.
 */
export async function findLogins(db: Db, email: string): Promise<{ userId: string | null; passwordHash: string }[]> {
  const { rows } = await sql<{ userId: string | null; passwordHash: string }>`
    (${selectLogin(email)})
    UNION ALL
    (SELECT NULL, password_hash FROM registrations WHERE email = ${email} AND user_id IS NULL
      ORDER BY created_at DESC, id LIMIT ${sql.lit(comparedHashes)})`.execute(db)
  return rows
}

/** `forgotten` is the marker that replaces distrusted devices; `hasAny` covers every device. */
export async function findDevices(db: Db, userId: string, device: Buffer, forgotten: Buffer) {
  const exists = (hash: Buffer | null) => sql`EXISTS (
    SELECT FROM known_devices WHERE user_id = ${userId} AND ${hash ? sql`device_hash = ${hash}` : sql`true`})`
  const { rows } = await sql<{ hasThis: boolean; hasForgotten: boolean; hasAny: boolean }>`
    SELECT ${exists(device)} AS "hasThis", ${exists(forgotten)} AS "hasForgotten", ${exists(null)} AS "hasAny"`.execute(
    db,
  )
  return rows[0] ?? { hasThis: false, hasForgotten: false, hasAny: false }
}

export async function upsertDevice(tx: Tx, userId: string, deviceHash: Buffer): Promise<void> {
  await tx
    .insertInto('known_devices')
    .values({ user_id: userId, device_hash: deviceHash })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'device_hash']).doUpdateSet({ last_used_at: sql<Date>`now()` }),
    )
    .execute()
}

export async function replaceDevices(tx: Tx, userId: string, deviceHash: Buffer): Promise<void> {
  await tx.deleteFrom('known_devices').where('user_id', '=', userId).execute()
  await upsertDevice(tx, userId, deviceHash)
}

/** The cookies of these devices have expired, too. */
export async function deleteExpiredDevices(db: Db, cookieTtlSeconds: number): Promise<void> {
  await db.deleteFrom('known_devices').where('last_used_at', '<', inSeconds(-cookieTtlSeconds)).execute()
}
