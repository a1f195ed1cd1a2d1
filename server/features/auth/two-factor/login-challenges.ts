import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { createHostCookie } from '../sessions/host-cookie.ts'
import * as queries from './two-factor.queries.ts'

/** In which the code has to come. */
const stepTtlSeconds = 10 * 60
/** Of a million codes three fit at any moment. */
const tries = 5

export const isTwoFactorOn: (db: Db, userId: string) => Promise<boolean> = queries.hasTotp

/** That the password was right, and nothing more: a code has to follow. @returns the token of its cookie. */
export async function createLoginChallenge(tx: Tx, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await queries.insertLoginStep(tx, { userId, tokenHash: hashToken(token), tries, ttlSeconds: stepTtlSeconds })
  return token
}

/** Whoever has typed the password begins anew. */
export const deleteLoginChallenges: (tx: Tx, userId: string) => Promise<void> = queries.deleteLoginSteps

/** Where the browser keeps the token between the two steps, out of the reach of scripts. */
export const createChallengeCookie = ({ publicUrl }: Config & { publicUrl: string }) =>
  createHostCookie(publicUrl, 'lectern-login-step', stepTtlSeconds)
