import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'

const nowMs = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::float8`

export async function hasTotp(db: Db, userId: string): Promise<boolean> {
  return (await db.selectFrom('totp').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

export async function findTotp(db: Db, userId: string) {
  const row = await db
    .selectFrom('totp as t')
    .select(['t.enabled_at as since', 't.encrypted_secret as sealedSecret', nowMs.as('nowMs')])
    .select(sql<number>`(SELECT count(*)::int FROM recovery_codes WHERE user_id = t.user_id)`.as('codesLeft'))
    .where('t.user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export async function replaceSetup(
  tx: Tx,
  setup: { userId: string; sessionId: string; sealedSecret: Buffer; ttlSeconds: number },
): Promise<void> {
  const values = {
    session_id: setup.sessionId,
    encrypted_secret: setup.sealedSecret,
    expires_at: inSeconds(setup.ttlSeconds),
  }
  await tx
    .insertInto('totp_setups')
    .values({ user_id: setup.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

export async function findSetup(db: Db, userId: string, sessionId: string) {
  const row = await db
    .selectFrom('totp_setups')
    .select(['encrypted_secret as sealedSecret', nowMs.as('nowMs')])
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? null
}

/** @returns false when the setup is no longer the one that the code was compared with. */
export function deleteSetup(tx: Tx, userId: string, sealedSecret: Buffer): Promise<boolean> {
  return hasChangedRow(
    tx.deleteFrom('totp_setups').where('user_id', '=', userId).where('encrypted_secret', '=', sealedSecret),
  )
}

export async function insertTotp(tx: Tx, userId: string, sealedSecret: Buffer, lastStep: number): Promise<void> {
  await tx
    .insertInto('totp')
    .values({ user_id: userId, encrypted_secret: sealedSecret, last_time_step: lastStep })
    .execute()
}

/** @returns false when a code of this time step or a later one was accepted before. */
export function advanceStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  return hasChangedRow(
    tx
      .updateTable('totp')
      .set({ last_time_step: step })
      .where('user_id', '=', userId)
      .where('last_time_step', '<', step),
  )
}

/** @returns whether two-factor login was on. */
export function deleteTotp(tx: Tx, userId: string): Promise<boolean> {
  return hasChangedRow(tx.deleteFrom('totp').where('user_id', '=', userId))
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

export async function findRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('recovery_codes').select('code_hash').where('user_id', '=', userId).execute()
  return rows.map(({ code_hash }) => code_hash)
}

/** @returns false when the code was used before. */
export function deleteRecoveryCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  return hasChangedRow(tx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('code_hash', '=', codeHash))
}

/** Counts the attempt before its result is known. @returns the user, or null when no attempt is left. */
export async function consumeAttempt(db: Db, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .updateTable('login_challenges')
    .set({ attempts_left: sql<number>`attempts_left - 1` })
    .where('token_hash', '=', tokenHash)
    .where('attempts_left', '>', 0)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id as userId')
    .executeTakeFirst()
  return row?.userId ?? null
}

/** @returns false when the login step no longer exists. */
export function deleteLoginStep(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return hasChangedRow(tx.deleteFrom('login_challenges').where('token_hash', '=', tokenHash))
}

export async function deleteExpiredLoginSteps(db: Db): Promise<void> {
  await db.deleteFrom('login_challenges').where('expires_at', '<', sql<Date>`now()`).execute()
  await db.deleteFrom('totp_setups').where('expires_at', '<', sql<Date>`now()`).execute()
}
