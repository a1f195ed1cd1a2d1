import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findPassword, getUser } from '../../accounts/users/users.ts'
import type { Device } from '../sessions/known-devices.ts'
import { completeLogin, type LoginDeps, type StartedSession } from '../sessions/sessions.ts'
import { decryptTotpSecret, findTimeStep, readCode } from './codes.ts'
import * as queries from './two-factor.queries.ts'

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

export function failWrongCode(): never {
  fail('wrong_code', { fields: { code: errorMessage('wrong_code') } })
}
