import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inSeconds } from '../../platform/db/sql.ts'
import { comparedHashes } from '../auth/passwords/hasher.ts'
import { lockUser } from './users/users.ts'

export type NewRegistration = { name: string; email: string; passwordHash: string; invitationId: string | null }

/** Renews a pending registration with the same password hash as if it had been created just now. */
export async function saveRegistration(
  tx: Tx,
  { name, email, passwordHash, invitationId }: NewRegistration,
): Promise<string> {
  const row = await tx
    .insertInto('registrations')
    .values({ name, email, password_hash: passwordHash, invitation_id: invitationId })
    .onConflict((conflict) =>
      conflict
        .columns(['email', 'password_hash'])
        .where('user_id', 'is', null)
        .where('email', '<>', sql.lit(''))
        .doUpdateSet({ name, invitation_id: invitationId, created_at: sql<Date>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A registration is pending until it becomes an account. */
export async function findPendingRegistration(db: Db, id: string) {
  const row = await db
    .selectFrom('registrations')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** The newest pending registration comes first. */
export function findPendingRegistrations(db: Db, email: string) {
  return db
    .selectFrom('registrations')
    .select(['id', 'password_hash as passwordHash'])
    .where('email', '=', email)
    .where('user_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(sql.lit(comparedHashes))
    .execute()
}

export async function insertVerificationToken(db: Db, registrationId: string, tokenHash: Buffer, ttlSeconds: number) {
  await db
    .insertInto('account_tokens')
    .values({
      token_hash: tokenHash,
      purpose: 'verify',
      registration_id: registrationId,
      expires_at: inSeconds(ttlSeconds),
    })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ expires_at: inSeconds(ttlSeconds) }))
    .execute()
}

/** Extends the newest mailed link of an address. Its registration may be a stranger's. */
export async function renewVerificationToken(db: Db, email: string, ttlSeconds: number): Promise<void> {
  await sql`
    UPDATE account_tokens SET expires_at = ${inSeconds(ttlSeconds)}
     WHERE token_hash = (SELECT t.token_hash FROM account_tokens t JOIN registrations r ON r.id = t.registration_id
                          WHERE r.email = ${email} AND r.user_id IS NULL ORDER BY t.expires_at DESC LIMIT 1)`.execute(
    db,
  )
}

export async function renewResetToken(tx: Tx, email: string, ttlSeconds: number): Promise<void> {
  await sql`
    UPDATE account_tokens SET expires_at = ${inSeconds(ttlSeconds)}
     WHERE purpose = 'reset' AND user_id = (SELECT id FROM users WHERE email = ${email})`.execute(tx)
}

/** Voids all earlier reset links of the user. */
export async function replaceResetToken(tx: Tx, userId: string, tokenHash: Buffer, ttlSeconds: number): Promise<void> {
  await lockUser(tx, userId)
  await deleteResetTokens(tx, userId)
  await tx
    .insertInto('account_tokens')
    .values({ token_hash: tokenHash, purpose: 'reset', user_id: userId, expires_at: inSeconds(ttlSeconds) })
    .execute()
}

export async function deleteResetTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_tokens').where('user_id', '=', userId).execute()
}

export type LockedRegistration = NewRegistration & {
  id: string
  userId: string | null
  isExpired: boolean
  /** Other registrations of the same email are pending as well. */
  hasDuplicates: boolean
}

/**
 * Returns the registration that a link verifies. It waits for transactions that use a link of the same email, because
 * one of them creates the account and deletes the others; the fixed lock order prevents deadlocks.
 */
export async function lockRegistrationOfToken(tx: Tx, tokenHash: Buffer): Promise<LockedRegistration | null> {
  await sql`
    SELECT id FROM registrations
     WHERE email = (SELECT r.email FROM registrations r JOIN account_tokens t ON t.registration_id = r.id
                     WHERE t.token_hash = ${tokenHash})
     ORDER BY id FOR UPDATE`.execute(tx)
  const row = await tx
    .selectFrom('account_tokens as t')
    .innerJoin('registrations as r', 'r.id', 't.registration_id')
    .select(['r.id', 'r.name', 'r.email', 'r.password_hash as passwordHash', 'r.user_id as userId'])
    .select('r.invitation_id as invitationId')
    .select(sql<boolean>`t.expires_at <= now()`.as('isExpired'))
    .select(
      sql<boolean>`EXISTS (SELECT FROM registrations o WHERE o.email = r.email AND o.id <> r.id AND o.user_id IS NULL)`.as(
        'hasDuplicates',
      ),
    )
    .where('t.token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row ?? null
}

/** Clears the password, which the account stores now, and voids other registrations of the address and their links. */
export async function completeRegistration(tx: Tx, registrationId: string, email: string, userId: string) {
  await tx
    .updateTable('registrations')
    .set({ user_id: userId, password_hash: '' })
    .where('id', '=', registrationId)
    .execute()
  await deletePendingRegistrations(tx, email)
}

export async function deletePendingRegistrations(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('registrations').where('email', '=', email).where('user_id', 'is', null).execute()
}

const isValidReset = (tokenHash: Buffer) =>
  sql<boolean>`token_hash = ${tokenHash} AND purpose = 'reset' AND expires_at > now()`

/** Returns the id of the user whose password a valid reset token may set. */
export async function findUserOfResetToken(db: Db, tokenHash: Buffer): Promise<string | null> {
  const tokens = db.selectFrom('account_tokens').select('user_id').where(isValidReset(tokenHash))
  return (await tokens.executeTakeFirst())?.user_id ?? null
}

/** Of parallel callers, only one gets the user's id. */
export async function consumeResetToken(tx: Tx, tokenHash: Buffer): Promise<string | null> {
  const token = tx.deleteFrom('account_tokens').where(isValidReset(tokenHash)).returning('user_id')
  return (await token.executeTakeFirst())?.user_id ?? null
}

/** An expired link is reported as expired, not as invalid, until its registration is deleted. */
export async function deleteOldRegistrations(db: Db): Promise<void> {
  await sql`DELETE FROM registrations WHERE created_at < now() - interval '30 days'`.execute(db)
  await sql`DELETE FROM account_tokens WHERE purpose = 'reset' AND expires_at < now()`.execute(db)
}
