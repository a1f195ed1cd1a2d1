import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { passkeyLimit } from '../../../../packages/contract/limits.ts'
import type {
  CreationOptions,
  NewPasskey,
  Passkey,
  PasskeyLogin,
  RequestOptions,
} from '../../../../packages/contract/passkeys.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { sendAlert } from '../../accounts/security-alerts/send-alert.ts'
import { getUser, lockUser } from '../../accounts/users/users.ts'
import { type Confirmed, lockWithConfirmedPassword } from '../sessions/confirm-password.ts'
import type { Device } from '../sessions/known-devices.ts'
import { completeLogin, isSessionActive, type LoginDeps, type StartedSession } from '../sessions/sessions.ts'
import {
  challengeOf,
  challengeTtlSeconds,
  creationOptionsFor,
  requestOptionsFor,
  verifyLogin,
  verifyNew,
} from './webauthn.ts'

export async function listPasskeys(db: Db, { id }: Viewer): Promise<Passkey[]> {
  return (await findPasskeysOf(db, id)).map(describePasskey)
}

const columns = ['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'] as const
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
    const known = await findPasskeysOf(tx, id)
    if (known.length >= passkeyLimit) failTooMany()
    const handle = await getOrCreateUserHandle(tx, id, randomBytes(handleBytes))
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
  if (!(await consumeChallenge(db, hashToken(challenge), sessionId))) fail('passkey_not_added')
  const made = await verifyNew(config.publicUrl, credential, challenge)
  return inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    // “Secure my account” ends the sessions and deletes all passkeys, so an ended session must not add another.
    if (!(await isSessionActive(tx, sessionId))) fail('unauthorized')
    if ((await findPasskeysOf(tx, id)).length >= passkeyLimit) failTooMany()
    const inserted = tx
      .insertInto('passkeys')
      .values({ user_id: id, name, ...made })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(columns)
    // Another passkey has the credential id if none was inserted.
    const passkey = (await inserted.executeTakeFirst()) ?? fail('passkey_not_added')
    await sendAlert(jobs, tx, id, 'passkey-added', { device })
    return describePasskey(passkey)
  })
}

/** @throws passkey_not_found, also for another user's passkey */
export async function renamePasskey(db: Db, { id }: Viewer, passkeyId: string, name: string): Promise<Passkey> {
  const row = await db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', id)
    .where('id', '=', passkeyId)
    .returning(columns)
    .executeTakeFirst()
  return describePasskey(row ?? fail('passkey_not_found'))
}

/** Does nothing for another user's passkey. @throws wrong_password */
export async function removePasskey(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { viewer: { id }, device, confirmedHash }: Confirmed,
  passkeyId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    const passkey = tx.deleteFrom('passkeys').where('user_id', '=', id).where('id', '=', passkeyId)
    if (await hasChangedRow(passkey)) await sendAlert(jobs, tx, id, 'passkey-removed', { device })
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
  if (!(await consumeChallenge(db, hashToken(challenge), null))) fail('passkey_refused')
  const passkey = await findPasskey(db, Buffer.from(credential.id, 'base64url'))
  if (!passkey) fail('passkey_refused')
  const { userHandle } = credential.response
  if (userHandle !== undefined && !Buffer.from(userHandle, 'base64url').equals(passkey.handle)) fail('passkey_refused')
  const signCount = await verifyLogin(config.publicUrl, credential, challenge, passkey)

  const { userId } = passkey
  const device = findDevice((await getUser(db, userId)).email)
  const started = await completeLogin(deps, userId, device, async (tx) => {
    if (!(await markUsed(tx, passkey.id, signCount))) fail('passkey_refused')
  })
  return { started, device }
}

const makeChallenge = () => randomBytes(32).toString('base64url')

/** @param sessionId is the session that adds a passkey; null for a login. */
async function saveChallenge(db: Db, challenge: string, sessionId: string | null): Promise<void> {
  const expiresAt = inSeconds(challengeTtlSeconds)
  await db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hashToken(challenge), session_id: sessionId, expires_at: expiresAt })
    .execute()
}

const failTooMany = () => fail('too_many_passkeys', { values: { max: passkeyLimit } })

/** @param handle is stored unless the user already has one. @returns the user's handle. */
async function getOrCreateUserHandle(tx: Tx, userId: string, handle: Buffer): Promise<Buffer> {
  const row = await tx
    .insertInto('webauthn_user_handles')
    .values({ user_id: userId, handle })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
    .returning('handle')
    .executeTakeFirstOrThrow()
  return row.handle
}

/** The oldest passkey comes first. */
function findPasskeysOf(db: Db, userId: string) {
  return db
    .selectFrom('passkeys')
    .select([...columns, 'credential_id as credentialId', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

async function findPasskey(db: Db, credentialId: Buffer) {
  const row = await db
    .selectFrom('passkeys as p')
    .innerJoin('webauthn_user_handles as o', 'o.user_id', 'p.user_id')
    .select(['p.id', 'p.user_id as userId', 'p.public_key as publicKey', 'p.sign_count as signCount', 'o.handle'])
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst()
  return row ?? null
}

/** @returns false when the passkey was deleted, or its counter did not grow, which reveals a copy. */
function markUsed(tx: Tx, id: string, signCount: number): Promise<boolean> {
  return hasChangedRow(
    tx
      .updateTable('passkeys')
      .set({ sign_count: signCount, last_used_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where(sql<boolean>`(sign_count < ${signCount}::bigint OR sign_count = 0 AND ${signCount}::bigint = 0)`),
  )
}

/** @returns whether an unexpired challenge existed for this purpose. */
function consumeChallenge(db: Db, hash: Buffer, sessionId: string | null): Promise<boolean> {
  return hasChangedRow(
    db
      .deleteFrom('passkey_challenges')
      .where('challenge_hash', '=', hash)
      .where('session_id', 'is not distinct from', sessionId)
      .where('expires_at', '>', sql<Date>`now()`),
  )
}

export async function deleteExpiredChallenges(db: Db): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', sql<Date>`now()`).execute()
}
