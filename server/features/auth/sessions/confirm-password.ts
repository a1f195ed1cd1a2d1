import type { FastifyRequest } from 'fastify'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findPassword, getUser, lockPassword, lockUser } from '../../accounts/users/users.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { countLogin } from './login-limits.ts'

type PasswordDeps = Pick<Deps, 'db' | 'passwords' | 'rateLimits' | 'config' | 'secret'>

/**
 * Asks a signed-in user for the password before an action that is reserved for the account's owner. Failures count as
 * failed logins, so that a hijacked session gives no extra guesses.
 * @returns the compared hash, for a check in the transaction that follows.
 */
export type ConfirmPassword = (request: FastifyRequest, viewer: Viewer, password: string) => Promise<string>

/** The returned function throws wrong_password, rate_limited, busy. */
export function createConfirmPassword(deps: PasswordDeps): ConfirmPassword {
  const devices = createDeviceCookie(deps)
  return async (request, viewer, password) => {
    const { email } = await getUser(deps.db, viewer.id)
    const device = devices.findDevice(request, email)
    const attempt = await countLogin(deps.rateLimits, { email, network: getIpKey(request.ip), device })
    const passwordHash = await findPassword(deps.db, viewer.id)
    if (passwordHash === null || !(await deps.passwords.verify(password, passwordHash))) failWrongPassword()
    await attempt.succeeded()
    return passwordHash
  }
}

/**
 * Call this in the transaction of the confirmed action. A password changed or voided since makes it void.
 * @throws wrong_password
 */
export async function lockWithConfirmedPassword(tx: Tx, userId: string, confirmedHash: string): Promise<void> {
  await lockUser(tx, userId)
  if (!(await lockPassword(tx, userId, confirmedHash))) failWrongPassword()
}

export function failWrongPassword(): never {
  fail('wrong_password', { fields: { currentPassword: errorMessage('wrong_password') } })
}
