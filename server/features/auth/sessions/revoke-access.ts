import type { Db, Tx } from '../../../platform/db/pool.ts'

/** Ends a session of this user immediately; does nothing for another user's session. */
export async function endSessionOfUser(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', sessionId).execute()
}

/** Ends every session of a user, on every device, as soon as the caller has committed. */
export async function endSessionsOfUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export async function endOtherSessions(db: Db, userId: string, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '<>', sessionId).execute()
}

/** Ends the sessions that began while the account was suspended. */
export async function endLimitedSessions(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('is_limited', '=', true).execute()
}

/** Users who have only entered the password must start again. */
export async function deleteLoginChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('login_challenges').where('user_id', '=', userId).execute()
}

export async function deleteAllPasskeys(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/**
 * Deletes what was added to two-factor login since a moment, also new recovery codes, because a stranger may have added
 * it. A secret from before stays, because access to the mailbox alone must not turn it off.
 */
export async function revertTwoFactorSince(tx: Tx, userId: string, moment: Date): Promise<void> {
  await tx.deleteFrom('totp_setups').where('user_id', '=', userId).execute()
  await tx.deleteFrom('totp').where('user_id', '=', userId).where('enabled_at', '>=', moment).execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).where('created_at', '>=', moment).execute()
}
