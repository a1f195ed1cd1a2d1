import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Credentials } from '../../contract/accounts.ts'
import type { Db } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import * as queries from './sessions.queries.ts'

/** 30 days, from the last refresh. */
export const sessionTtlSeconds = 30 * 24 * 3600
/** Tabs that refresh at the same moment hold the same token; for this long the older one still works. */
const rotationGraceSeconds = 10

export type StartedSession = { userId: string; accessToken: string; refreshToken: string }

type SessionDeps = Pick<Deps, 'db' | 'passwords' | 'accessTokens' | 'secret'>

/**
 * One password check, whoever asks, so that time tells nobody which e-mails have accounts.
 * @throws invalid_credentials, email_not_verified (only with the right password)
 */
export async function logIn({ db, passwords, accessTokens }: SessionDeps, input: Credentials): Promise<StartedSession> {
  const login = await queries.findLogin(db, input.email)
  const matches = await passwords.verify(input.password, login?.passwordHash ?? null)
  if (!login || !matches) fail('invalid_credentials')
  const { userId, passwordHash } = login
  if (userId === null) fail('email_not_verified')

  const refreshToken = randomBytes(32).toString('base64url')
  const sessionId = await db.transaction().execute(async (tx) => {
    // A reset during the comparison has ended every session; the old password must not start another.
    if (!(await queries.lockPassword(tx, userId, passwordHash))) fail('invalid_credentials')
    const id = await queries.insertSession(tx, userId, sessionTtlSeconds)
    await queries.insertRefreshToken(tx, id, hashToken(refreshToken))
    return id
  })
  return { userId, refreshToken, accessToken: await accessTokens.sign({ userId, sessionId }) }
}

/**
 * Rotates a refresh token. The successor is derived from the token and the server's secret: whoever presents the same
 * token within the grace gets the same successor, though only hashes are stored. A token that was replaced earlier
 * than that has been copied, and its session ends.
 * @throws session_expired
 */
export async function refreshSession(
  { db, accessTokens, secret }: SessionDeps,
  refreshToken: string,
): Promise<StartedSession> {
  const tokenHash = hashToken(refreshToken)
  const successor = createHmac('sha256', secret).update(`refresh:${refreshToken}`).digest('base64url')

  const claims = await db.transaction().execute(async (tx) => {
    const presented = await queries.lockSessionOfToken(tx, tokenHash)
    if (!presented) return null
    const { sessionId, userId, rotatedSecondsAgo } = presented
    if (rotatedSecondsAgo !== null && rotatedSecondsAgo > rotationGraceSeconds) {
      await queries.deleteSession(tx, sessionId)
      return null
    }
    if (rotatedSecondsAgo === null) {
      await queries.markRotated(tx, tokenHash)
      await queries.insertRefreshToken(tx, sessionId, hashToken(successor))
      await queries.extendSession(tx, sessionId, sessionTtlSeconds)
    }
    return { sessionId, userId }
  })
  if (!claims) fail('session_expired')
  return { userId: claims.userId, refreshToken: successor, accessToken: await accessTokens.sign(claims) }
}

/** Ends the session a refresh token belongs to, old or current. Nothing happens when there is none. */
export function logOut(db: Db, refreshToken: string): Promise<void> {
  return queries.deleteSessionOfToken(db, hashToken(refreshToken))
}

/** Ends every session of a user at once, on every device. */
export const endSessionsOfUser: (db: Db, userId: string) => Promise<void> = queries.deleteSessionsOfUser
export const deleteExpiredSessions = (db: Db): Promise<void> => queries.deleteExpiredSessions(db, sessionTtlSeconds)

const hashToken = (token: string) => createHash('sha256').update(token).digest()
