import type { FastifyRequest } from 'fastify'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { Limit, RateLimits } from '../../../platform/http/rate-limits.ts'
import { findPassword, getUser, lockPassword, lockUser } from '../../accounts/users/users.ts'
import { createDeviceCookie } from './cookies.ts'

const windowSeconds = 15 * 60

/** The key is account and network address, so that no user can lock out another. */
const accountLimit = { name: 'login', points: 10, seconds: windowSeconds }
/** By address alone, it bounds guessing over many accounts, and exceeds what a campus behind one address mistypes. */
const addressLimit = { name: 'login-address', points: 1000, seconds: windowSeconds }
/** A device that has logged in to the account before has this limit instead of both. */
const deviceLimit = { name: 'login-device', points: 10, seconds: windowSeconds }

type Attempt = { email: string; network: string; device: string | null }

/**
 * Counts a login as failed until `succeeded` is called. A rejection for one account takes nothing from the others
 * behind the address.
 * @throws rate_limited
 */
export async function countLogin(rateLimits: RateLimits, { email, network, device }: Attempt) {
  const [limit, key]: [Limit, string] = device
    ? [deviceLimit, `${email} ${device}`]
    : [accountLimit, `${email} ${network}`]
  await rateLimits.consume(limit, key)
  if (!device) await rateLimits.consume(addressLimit, network)
  return {
    async succeeded() {
      await rateLimits.reset(limit, key)
      if (!device) await rateLimits.refund(addressLimit, network)
    },
  }
}

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
