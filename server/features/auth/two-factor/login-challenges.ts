import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import { createHostCookie } from '../sessions/cookies.ts'
import * as queries from './two-factor.queries.ts'

/** The code must arrive within this time. */
const stepTtlSeconds = 10 * 60
/** Three of a million codes are valid at any moment. */
const tries = 5

export const isTwoFactorOn: (db: Db, userId: string) => Promise<boolean> = queries.hasTotp

/** Records that the password was right; a code must follow. @returns the token of its cookie. */
export async function createLoginChallenge(tx: Tx, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = inSeconds(stepTtlSeconds)
  await tx
    .insertInto('login_challenges')
    .values({ user_id: userId, token_hash: hashToken(token), attempts_left: tries, expires_at: expiresAt })
    .execute()
  return token
}

/** The browser keeps the token between the two steps in this cookie, which scripts cannot read. */
export const createChallengeCookie = ({ publicUrl }: Config & { publicUrl: string }) =>
  createHostCookie(publicUrl, 'lectern-login-step', stepTtlSeconds)
