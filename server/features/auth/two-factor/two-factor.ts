import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { TwoFactor, TwoFactorSetup } from '../../../../packages/contract/two-factor.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { sendAlert } from '../../accounts/security-alerts/send-alert.ts'
import { findPassword, findUser, getUser, lockUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { type Confirmed, lockWithConfirmedPassword } from '../sessions/confirm-password.ts'
import type { Device } from '../sessions/known-devices.ts'
import { deleteLoginChallenges } from '../sessions/revoke-access.ts'
import { completeLogin, type LoginDeps, type StartedSession } from '../sessions/sessions.ts'
import {
  decryptTotpSecret,
  encryptTotpSecret,
  findTimeStep,
  generateTotpSecret,
  makeRecoveryCodes,
  readCode,
  toOtpauthUri,
} from './codes.ts'
import * as queries from './two-factor.queries.ts'

/** The user needs time to find a phone and an app for it. */
const setupTtlSeconds = 3600
/** These codes protect nothing yet, but a hijacked session must not try without limit. */
const firstCodeLimit = { name: 'first-code', points: 30, seconds: 3600 }

export async function describeTwoFactor(db: Db, { id }: Viewer): Promise<TwoFactor> {
  const totp = await queries.findTotp(db, id)
  return totp && { since: totp.since.toISOString(), recoveryCodesLeft: totp.codesLeft }
}

/** Each call creates a new secret. @throws two_factor_on, wrong_password */
export async function startSetup(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { viewer: { id }, sessionId, confirmedHash }: Confirmed,
): Promise<TwoFactorSetup> {
  const appSecret = generateTotpSecret()
  const sealedSecret = encryptTotpSecret(secret, id, appSecret)
  return inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if (await queries.hasTotp(tx, id)) fail('two_factor_on')
    await queries.replaceSetup(tx, { userId: id, sessionId, sealedSecret, ttlSeconds: setupTtlSeconds })
    const { email } = await getUser(tx, id)
    return { secret: appSecret, uri: toOtpauthUri(appSecret, email) }
  })
}

/**
 * From now on a login needs a code. The first code, which proves that the app has the secret, is consumed.
 * @returns the recovery codes.
 * @throws setup_over, wrong_code, two_factor_on, rate_limited, busy
 */
export async function enable(
  deps: Pick<Deps, 'db' | 'jobs' | 'secret' | 'passwords' | 'rateLimits'>,
  { viewer: { id }, device, sessionId }: Omit<Confirmed, 'confirmedHash'>,
  typed: string,
): Promise<string[]> {
  const { db, jobs, secret } = deps
  await deps.rateLimits.consume(firstCodeLimit, id)
  if (await queries.hasTotp(db, id)) fail('two_factor_on')
  const { sealedSecret, nowMs } = (await queries.findSetup(db, id, sessionId)) ?? fail('setup_over')
  const appSecret = decryptTotpSecret(secret, id, sealedSecret) ?? fail('setup_over')
  const code = readCode(typed)
  const step = (code?.kind === 'app' ? findTimeStep(appSecret, code.code, nowMs) : null) ?? failWrongCode()
  const { codes, hashes } = await makeRecoveryCodes(deps.passwords)
  await inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    if (await queries.hasTotp(tx, id)) fail('two_factor_on')
    if (!(await queries.deleteSetup(tx, id, sealedSecret))) fail('setup_over')
    await queries.insertTotp(tx, id, sealedSecret, step)
    await queries.replaceRecoveryCodes(tx, id, hashes)
    await sendAlert(jobs, tx, id, 'two-factor-on', { device })
  })
  return codes
}

/** @returns ten new codes, which replace the previous ones. @throws two_factor_off, wrong_password, busy */
export async function regenerateRecoveryCodes(
  { db, jobs, passwords }: Pick<Deps, 'db' | 'jobs' | 'passwords'>,
  { viewer: { id }, device, confirmedHash }: Confirmed,
): Promise<string[]> {
  if (!(await queries.hasTotp(db, id))) fail('two_factor_off')
  const { codes, hashes } = await makeRecoveryCodes(passwords)
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if (!(await queries.hasTotp(tx, id))) fail('two_factor_off')
    await queries.replaceRecoveryCodes(tx, id, hashes)
    await sendAlert(jobs, tx, id, 'recovery-codes-renewed', { device })
  })
  return codes
}

/** @throws wrong_password */
export async function disable(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { viewer: { id }, device, confirmedHash }: Confirmed,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if (!(await queries.deleteTotp(tx, id))) return
    await deleteLoginChallenges(tx, id)
    await sendAlert(jobs, tx, id, 'two-factor-off', { device })
  })
}

/**
 * The operator calls this for a student who has lost the app and the recovery codes.
 * @returns whether two-factor login was on, or null when no account has this email.
 */
export async function turnOffByOperator(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  email: string,
): Promise<boolean | null> {
  return inTransaction(db, async (tx) => {
    const found = await findUser(tx, { email })
    if (!found) return null
    await lockUser(tx, found.id)
    if (!(await queries.deleteTotp(tx, found.id))) return false
    await deleteLoginChallenges(tx, found.id)
    await recordAudit(tx, null, 'two-factor-off', found.id, {})
    await sendAlert(jobs, tx, found.id, 'two-factor-off')
    return true
  })
}

/**
 * Counts wrong codes of an account from all addresses: only a caller with the password gets here, so no other can use
 * the limit up. A new password starts a new count.
 */
const accountLimit = { name: 'login-code', points: 10, seconds: 3600 }
/** A device that has logged in to the account before has this limit instead. */
const deviceLimit = { name: 'login-code-device', points: 10, seconds: 3600 }

/** A checked code, which the login transaction consumes. */
type Proof = { step: number } | { codeHash: string }

/**
 * Completes the second step of a login. Each code is counted, right or wrong, before it is checked.
 * @param findDevice returns the device for the user's email.
 * @throws login_step_over, wrong_code, rate_limited, busy
 */
export async function logInWithCode(
  deps: LoginDeps & Pick<Deps, 'rateLimits'>,
  { token, typed }: { token: string; typed: string },
  findDevice: (email: string) => Device,
): Promise<{ started: StartedSession; device: Device }> {
  const { db, rateLimits } = deps
  const tokenHash = hashToken(token)
  const userId = (await queries.consumeAttempt(db, tokenHash)) ?? fail('login_step_over')
  const device = findDevice((await getUser(db, userId)).email)
  const limit = device.isKnown ? deviceLimit : accountLimit
  const counted = `${userId} ${device.isKnown ? device.name : await findPassword(db, userId)}`
  await rateLimits.consume(limit, counted)

  const proof = (await findProof(deps, userId, typed)) ?? failWrongCode()
  const started = await completeLogin(deps, userId, device, async (tx) => {
    if (!(await useProof(tx, userId, proof))) failWrongCode()
    if (!(await queries.deleteLoginStep(tx, tokenHash))) fail('login_step_over')
  })
  await rateLimits.reset(limit, counted)
  return { started, device }
}

async function findProof(
  { db, secret, passwords }: { db: Db } & Pick<Deps, 'secret' | 'passwords'>,
  userId: string,
  typed: string,
): Promise<Proof | null> {
  const code = readCode(typed)
  if (code?.kind === 'recovery') {
    const codeHash = await passwords.find(code.code, await queries.findRecoveryCodes(db, userId))
    return codeHash === null ? null : { codeHash }
  }
  const totp = code && (await queries.findTotp(db, userId))
  const appSecret = totp && decryptTotpSecret(secret, userId, totp.sealedSecret)
  const step = appSecret && findTimeStep(appSecret, code.code, totp.nowMs)
  return typeof step === 'number' ? { step } : null
}

const useProof = (tx: Tx, userId: string, proof: Proof): Promise<boolean> =>
  'step' in proof ? queries.advanceStep(tx, userId, proof.step) : queries.deleteRecoveryCode(tx, userId, proof.codeHash)

function failWrongCode(): never {
  fail('wrong_code', { fields: { code: errorMessage('wrong_code') } })
}
