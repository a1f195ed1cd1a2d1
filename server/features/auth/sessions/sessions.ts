import { createHmac, randomBytes } from 'node:crypto'
import type { Credentials } from '../../../../packages/contract/accounts.ts'
import type { OwnSession } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { deriveSecret, hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { sendAlert } from '../../accounts/security-alerts/send-alert.ts'
import { lockPassword, lockUser } from '../../accounts/users/users.ts'
import { findActiveSuspension } from '../../moderation/suspensions/active-suspension.ts'
import { createLoginChallenge, isTwoFactorOn } from '../two-factor/login-challenges.ts'
import { parseAccessToken, signAccessToken } from './access-token.ts'
import { deviceTtlSeconds } from './cookies.ts'
import { canNotifyOfDevice, type Device, isNewDevice, rememberDevice } from './known-devices.ts'
import * as queries from './sessions.queries.ts'

/** A session lasts 30 days from its last refresh. */
export const sessionTtlSeconds = 30 * 24 * 3600
/** A suspended user's session ends after this, however often it is refreshed: an export takes hours at most. */
const limitedTtlSeconds = 24 * 3600
/** Tabs that refresh at the same moment send the same token, so the older one still works for this long. */
const rotationGraceSeconds = 10

export type StartedSession = { userId: string; isLimited: boolean; accessToken: string; refreshToken: string }

type SessionDeps = Pick<Deps, 'db' | 'passwords' | 'secret'>

export type LoginDeps = SessionDeps & Pick<Deps, 'jobs'>

/**
 * Checks one password hash for every email, so that timing does not reveal which ones have accounts.
 * @returns the token of a second step instead when two-factor login is on.
 * @throws invalid_credentials, busy; only with the right password email_not_verified
 */
export async function logIn(
  deps: LoginDeps,
  input: Credentials,
  device: Device,
): Promise<StartedSession | { stepToken: string }> {
  const { db, passwords } = deps
  const [login, ...others] = await queries.findLogins(db, input.email)
  if (!login || login.userId === null) {
    const hashes = login ? [login, ...others].map(({ passwordHash }) => passwordHash) : []
    fail((await passwords.find(input.password, hashes)) === null ? 'invalid_credentials' : 'email_not_verified')
  }
  const { userId, passwordHash } = login
  if (!(await passwords.verify(input.password, passwordHash))) fail('invalid_credentials')

  if (await isTwoFactorOn(db, userId)) {
    return inTransaction(db, async (tx) => {
      if (!(await lockPassword(tx, userId, passwordHash))) fail('invalid_credentials')
      return { stepToken: await createLoginChallenge(tx, userId) }
    })
  }
  return completeLogin(deps, userId, device, async (tx) => {
    // A reset during the comparison has ended every session; the old password must not start another.
    if (!(await lockPassword(tx, userId, passwordHash))) fail('invalid_credentials')
    // Two-factor login was turned on meanwhile; a retry gets the second step.
    if (await isTwoFactorOn(tx, userId)) fail('busy')
  })
}

/**
 * Completes every kind of login: remembers the device and alerts the user to a new one. A suspended user gets a limited
 * session, which ends with the suspension.
 * @param consumeProof consumes the proof in the transaction that starts the session and holds the user; if it throws, no
 * session starts.
 */
export async function completeLogin(
  deps: LoginDeps,
  userId: string,
  device: Device,
  consumeProof: (tx: Tx) => Promise<void>,
): Promise<StartedSession> {
  const { db, secret, jobs } = deps
  const isNew = await isNewDevice(deps, userId, device)
  return inTransaction(db, async (tx) => {
    // Suspending an account and lifting a suspension hold this lock and end the existing sessions.
    await lockUser(tx, userId)
    await consumeProof(tx)
    await rememberDevice(tx, secret, userId, device)
    if (isNew && (await canNotifyOfDevice(tx, userId)))
      await sendAlert(jobs, tx, userId, 'new-device', { device: device.label })
    return startSession(tx, secret, userId, device.label)
  })
}

/**
 * Every kind of login starts its session here.
 * @param device is the label that the user sees.
 */
async function startSession(tx: Tx, secret: string, userId: string, device: string | null): Promise<StartedSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  const suspension = (await findActiveSuspension(tx, userId)) ?? undefined
  const isLimited = suspension !== undefined
  const ttlSeconds = isLimited ? limitedTtlSeconds : sessionTtlSeconds
  const tokenHash = hashToken(refreshToken)
  const sessionId = await queries.insertSession(tx, userId, ttlSeconds, { device, limited: suspension, tokenHash })
  return { userId, isLimited, refreshToken, accessToken: signAccessToken(secret, { sessionId, rotation: 0 }) }
}

/**
 * Rotates a refresh token. Only hashes are stored, so the successor is derived from the token, its number and the
 * server's secret. Within the grace period, a replaced token gets the newest of its chain. After it, a token whose
 * successor was never used gets another one, because the response was lost. Any other replaced token was copied, and
 * its session ends.
 * @throws session_expired
 */
export async function refreshSession(
  deps: SessionDeps,
  refreshToken: string,
): Promise<Omit<StartedSession, 'userId' | 'isLimited'>> {
  const { db, secret } = deps
  const tokenHash = hashToken(refreshToken)

  const refreshed = await inTransaction(db, async (tx) => {
    const presented = await queries.lockSessionOfToken(tx, tokenHash)
    if (!presented) return null
    const { sessionId, rotatedSecondsAgo, isSuccessorUnused } = presented
    if (rotatedSecondsAgo !== null && rotatedSecondsAgo <= rotationGraceSeconds) {
      const newest = await findNewestOfChain(tx, secret, refreshToken)
      return newest && { ...presented, newest }
    }
    if (rotatedSecondsAgo !== null && !isSuccessorUnused) {
      await queries.deleteSession(tx, sessionId)
      return null
    }
    const rotation = presented.rotation + 1
    const newest = deriveNextToken(secret, refreshToken, rotation)
    const successorHash = hashToken(newest)
    await queries.rotateToken(tx, { sessionId, rotation, tokenHash, successorHash, ttlSeconds: sessionTtlSeconds })
    return { sessionId, rotation, newest }
  })
  if (!refreshed) fail('session_expired')
  return { refreshToken: refreshed.newest, accessToken: signAccessToken(secret, refreshed) }
}

const deriveNextToken = (secret: string, refreshToken: string, rotation: number) =>
  createHmac('sha256', deriveSecret(secret, 'refresh-token')).update(`${refreshToken}.${rotation}`).digest('base64url')

/** Returns the newest token derived from this one meanwhile; null when the secret was changed in between. */
async function findNewestOfChain(tx: Tx, secret: string, replaced: string): Promise<string | null> {
  for (let token = replaced; ; ) {
    const successor = await queries.findSuccessor(tx, hashToken(token))
    if (successor == null) return successor === null ? token : null
    token = deriveNextToken(secret, token, successor)
  }
}

/**
 * Ends the sessions of a refresh token, old or current, and of an access token, because programs may hold only one of
 * them. Does nothing when there is none.
 */
export async function logOut(
  { db, secret }: SessionDeps,
  tokens: { refreshToken: string | undefined; accessToken: string | undefined },
): Promise<void> {
  const { refreshToken, accessToken } = tokens
  await queries.deleteSessionsOfTokens(db, {
    tokenHash: refreshToken === undefined ? null : hashToken(refreshToken),
    sessionId: (accessToken && parseAccessToken(secret, accessToken)?.sessionId) || null,
  })
}

/** Returns whether a session is still active, for callers that have waited since the guard ran. */
export const isSessionActive = async (db: Db, sessionId: string): Promise<boolean> =>
  (await queries.findActiveSession(db, sessionId)) !== null

/** The current session comes first. */
export async function listSessions(db: Db, userId: string, sessionId: string): Promise<OwnSession[]> {
  const sessions = await queries.findSessions(db, userId)
  return sessions
    .map(({ id, device, startedAt, lastUsedAt }) => ({
      _id: id,
      device,
      startedAt: startedAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      isCurrent: id === sessionId,
    }))
    .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await queries.deleteExpiredSessions(db, sessionTtlSeconds)
  await queries.deleteExpiredDevices(db, deviceTtlSeconds)
}
