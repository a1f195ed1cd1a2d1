import { createHmac, randomBytes } from 'node:crypto'
import type { Credentials } from '../../contract/accounts.ts'
import type { OwnSession } from '../../contract/settings.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import type { Db, Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import { deriveSecret, hashToken } from '../secret.ts'
import { findLivingSuspension } from '../suspensions/find-living.ts'
import { beginLoginStep, isTwoFactorOn } from '../totp/login-steps.ts'
import { getUser, lockPassword, lockUser } from '../users/users.ts'
import { parseAccessToken, signAccessToken } from './access-token.ts'
import { deviceTtlSeconds } from './device-cookie.ts'
import { type Device, isNewDevice, mayBeTold, rememberDevice } from './known-devices.ts'
import * as queries from './sessions.queries.ts'

/** 30 days, from the last refresh. */
export const sessionTtlSeconds = 30 * 24 * 3600
/** Of who is suspended, however often it is refreshed: an export takes hours at most. */
const limitedTtlSeconds = 24 * 3600
/** Tabs that refresh at the same moment hold the same token; for this long the older one still works. */
const rotationGraceSeconds = 10

export type StartedSession = { userId: string; isLimited: boolean; accessToken: string; refreshToken: string }

type SessionDeps = Pick<Deps, 'db' | 'passwords' | 'secret'>

export type LoginDeps = SessionDeps & Pick<Deps, 'jobs'>

/**
 * One password check, whoever asks, so that time tells nobody which e-mails have accounts.
 * @returns the token of a second step instead, where two-factor login is on.
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
      return { stepToken: await beginLoginStep(tx, userId) }
    })
  }
  return enterAccount(deps, userId, device, async (tx) => {
    // A reset during the comparison has ended every session; the old password must not start another.
    if (!(await lockPassword(tx, userId, passwordHash))) fail('invalid_credentials')
    // Turned on meanwhile: asked once more, it is a login with two steps.
    if (await isTwoFactorOn(tx, userId)) fail('busy')
  })
}

/**
 * What every login ends in, whatever somebody has proved to be who they are with: the device is remembered, and its
 * student told where it is new. Whoever is suspended gets a session that is limited, and ends with the suspension.
 * @param prove uses the proof up, in the transaction that starts the session, where the user is held; what it throws
 * starts none.
 */
export async function enterAccount(
  deps: LoginDeps,
  userId: string,
  device: Device,
  prove: (tx: Tx) => Promise<void>,
): Promise<StartedSession> {
  const { db, secret, jobs } = deps
  const isNews = await isNewDevice(deps, userId, device)
  return inTransaction(db, async (tx) => {
    // Whoever suspends the account holds it, and ends the sessions there are by then; so does whoever lifts that.
    await lockUser(tx, userId)
    await prove(tx)
    await rememberDevice(tx, secret, userId, device)
    if (isNews && (await mayBeTold(tx, userId))) {
      const { email } = await getUser(tx, userId)
      await raiseAlert(jobs, tx, { userId, email, kind: 'new-device', device: device.label })
    }
    return startSession(tx, secret, userId, device.label)
  })
}

/**
 * The one way into a session, whatever somebody has proved to be who they are with.
 * @param device what its student will know it by.
 */
async function startSession(tx: Tx, secret: string, userId: string, device: string | null): Promise<StartedSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  const suspension = (await findLivingSuspension(tx, userId)) ?? undefined
  const isLimited = suspension !== undefined
  const ttlSeconds = isLimited ? limitedTtlSeconds : sessionTtlSeconds
  const tokenHash = hashToken(refreshToken)
  const sessionId = await queries.insertSession(tx, userId, ttlSeconds, { device, limited: suspension, tokenHash })
  return { userId, isLimited, refreshToken, accessToken: signAccessToken(secret, sessionId) }
}

/**
 * Rotates a refresh token. The successor is derived from the token and the server's secret: whoever presents a token
 * that was replaced within the grace is given the newest of its chain, though only hashes are stored. A token that was
 * replaced earlier than that has been copied, and its session ends.
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
    const { sessionId, rotatedSecondsAgo } = presented
    if (rotatedSecondsAgo !== null && rotatedSecondsAgo > rotationGraceSeconds) {
      await queries.deleteSession(tx, sessionId)
      return 'ended'
    }
    if (rotatedSecondsAgo !== null) {
      const newest = newestOfChain(secret, refreshToken, await queries.getChain(tx, sessionId))
      return newest === null ? null : { sessionId, newest }
    }
    const newest = successorOf(secret, refreshToken)
    await queries.markRotated(tx, tokenHash)
    await queries.insertRefreshToken(tx, sessionId, hashToken(newest))
    await queries.extendSession(tx, sessionId, sessionTtlSeconds)
    return { sessionId, newest }
  })
  if (!refreshed || refreshed === 'ended') fail('session_expired')
  return { refreshToken: refreshed.newest, accessToken: signAccessToken(secret, refreshed.sessionId) }
}

const successorOf = (secret: string, refreshToken: string) =>
  createHmac('sha256', deriveSecret(secret, 'refresh-token')).update(refreshToken).digest('base64url')

/** The token that others, with the same one, have got to meanwhile. Null where the secret was changed in between. */
function newestOfChain(secret: string, replaced: string, chain: queries.Chain): string | null {
  let token = replaced
  for (let step = 0; step < chain.length; step++) {
    token = successorOf(secret, token)
    if (hashToken(token).equals(chain.newestHash)) return token
  }
  return null
}

/**
 * Ends the sessions that a refresh token, old or current, and an access token belong to: programs may hold but one of
 * them. Nothing happens when there is none.
 */
export async function logOut(
  { db, secret }: SessionDeps,
  tokens: { refreshToken: string | undefined; accessToken: string | undefined },
): Promise<void> {
  const { refreshToken, accessToken } = tokens
  await queries.deleteSessionsOfTokens(db, {
    tokenHash: refreshToken === undefined ? null : hashToken(refreshToken),
    sessionId: accessToken ? parseAccessToken(secret, accessToken) : null,
  })
}

/** Whether a session has not been ended meanwhile; for who has waited since the guard asked. */
export const isLiving = async (db: Db, sessionId: string): Promise<boolean> =>
  (await queries.findLivingSession(db, sessionId)) !== null

/** Where somebody is signed in, this session first. */
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

/** Ends a session of this user at once; of anybody else’s, nothing happens. */
export const endSessionOfUser: (db: Db, userId: string, sessionId: string) => Promise<void> =
  queries.deleteSessionOfUser

/** Ends every session of a user, on every device: immediately, when the caller has committed. */
export const endSessionsOfUser: (db: Db, userId: string) => Promise<void> = queries.deleteSessionsOfUser
/** Those on every other device. */
export const endOtherSessions: (db: Db, userId: string, sessionId: string) => Promise<void> =
  queries.deleteOtherSessions
/** Those that began while the account was suspended. */
export const endLimitedSessions: (db: Db, userId: string) => Promise<void> = queries.deleteLimitedSessions

export async function deleteExpiredSessions(db: Db): Promise<void> {
  await queries.deleteExpiredSessions(db, sessionTtlSeconds)
  await queries.deleteForgottenDevices(db, deviceTtlSeconds)
}
