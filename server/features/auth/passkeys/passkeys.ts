import { randomBytes } from 'node:crypto'
import { passkeyLimit } from '../../../../packages/contract/limits.ts'
import type {
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyLogin,
  RequestOptions,
} from '../../../../packages/contract/passkeys.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { sendAlert } from '../../accounts/security-alerts/send-alert.ts'
import { getUser, lockUser } from '../../accounts/users/users.ts'
import { type Confirmed, lockWithConfirmedPassword } from '../sessions/confirm-password.ts'
import type { Device } from '../sessions/known-devices.ts'
import { completeLogin, isSessionActive, type LoginDeps, type StartedSession } from '../sessions/sessions.ts'
import * as queries from './passkeys.queries.ts'
import {
  challengeOf,
  challengeTtlSeconds,
  creationOptionsFor,
  requestOptionsFor,
  verifyLogin,
  verifyNew,
} from './webauthn.ts'

export async function listPasskeys(db: Db, { id }: Viewer): Promise<Passkey[]> {
  return (await queries.findPasskeysOf(db, id)).map(describePasskey)
}

type Described = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

const describePasskey = ({ id, name, createdAt, lastUsedAt }: Described): Passkey => ({
  _id: id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** @throws too_many_passkeys, wrong_password */
export async function createRegistrationOptions(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { viewer: { id }, sessionId, confirmedHash }: Confirmed,
): Promise<CreationOptions> {
  const challenge = makeChallenge()
  return inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    const known = await queries.findPasskeysOf(tx, id)
    if (known.length >= passkeyLimit) failTooMany()
    const handle = await queries.getOrCreateUserHandle(tx, id, randomBytes(handleBytes))
    await saveChallenge(tx, challenge, sessionId)
    const { name, email } = await getUser(tx, id)
    return creationOptionsFor(config.publicUrl, challenge, { name, email, handle }, known)
  })
}

/** WebAuthn allows at most this length. */
const handleBytes = 64

/** @throws passkey_not_added, too_many_passkeys, unauthorized */
export async function addPasskey(
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  { viewer: { id }, device, sessionId }: Omit<Confirmed, 'confirmedHash'>,
  { name, credential }: NewPasskey,
): Promise<Passkey> {
  const challenge = challengeOf(credential)
  if (!(await queries.consumeChallenge(db, hashToken(challenge), sessionId))) fail('passkey_not_added')
  const made = await verifyNew(config.publicUrl, credential, challenge)
  return inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    // “Secure my account” ends the sessions and deletes all passkeys, so an ended session must not add another.
    if (!(await isSessionActive(tx, sessionId))) fail('unauthorized')
    if ((await queries.findPasskeysOf(tx, id)).length >= passkeyLimit) failTooMany()
    const row = (await queries.insertPasskey(tx, { userId: id, name, ...made })) ?? fail('passkey_not_added')
    await sendAlert(jobs, tx, id, 'passkey-added', { device })
    return describePasskey({ ...row, name, lastUsedAt: null })
  })
}

/** @throws passkey_not_found, also for another user's passkey */
export async function renamePasskey(db: Db, { id }: Viewer, passkeyId: string, name: string): Promise<Passkey> {
  return describePasskey((await queries.renamePasskey(db, id, passkeyId, name)) ?? fail('passkey_not_found'))
}

/** Does nothing for another user's passkey. @throws wrong_password */
export async function removePasskey(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { viewer: { id }, device, confirmedHash }: Confirmed,
  passkeyId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if (await queries.deletePasskey(tx, id, passkeyId)) await sendAlert(jobs, tx, id, 'passkey-removed', { device })
  })
}

/** The options are the same for every caller, because the user is not known yet. */
export async function createLoginOptions({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<RequestOptions> {
  const challenge = makeChallenge()
  await saveChallenge(db, challenge, null)
  return requestOptionsFor(config.publicUrl, challenge)
}

/**
 * A passkey is both factors: the user has it and unlocks it by biometrics or a PIN.
 * @param findDevice returns the device for the user's email.
 * @throws passkey_refused for every failure.
 */
export async function logInWithPasskey(
  deps: LoginDeps & Pick<Deps, 'config'>,
  { credential }: PasskeyLogin,
  findDevice: (email: string) => Device,
): Promise<{ started: StartedSession; device: Device }> {
  const { db, config } = deps
  const challenge = challengeOf(credential)
  if (!(await queries.consumeChallenge(db, hashToken(challenge), null))) fail('passkey_refused')
  const passkey = await queries.findPasskey(db, Buffer.from(credential.id, 'base64url'))
  if (!passkey) fail('passkey_refused')
  const { userHandle } = credential.response
  if (userHandle !== undefined && !Buffer.from(userHandle, 'base64url').equals(passkey.handle)) fail('passkey_refused')
  const signCount = await verifyLogin(config.publicUrl, credential, challenge, passkey)

  const { userId } = passkey
  const device = findDevice((await getUser(db, userId)).email)
  const started = await completeLogin(deps, userId, device, async (tx) => {
    if (!(await queries.markUsed(tx, passkey.id, signCount))) fail('passkey_refused')
  })
  return { started, device }
}

const makeChallenge = () => randomBytes(32).toString('base64url')

const saveChallenge = (db: Db, challenge: string, sessionId: string | null) =>
  queries.insertChallenge(db, { hash: hashToken(challenge), sessionId, ttlSeconds: challengeTtlSeconds })

const failTooMany = () => fail('too_many_passkeys', { values: { max: passkeyLimit } })
