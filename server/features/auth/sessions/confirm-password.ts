import type { FastifyRequest } from 'fastify'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import { ApiError, fail } from '../../../platform/http/api-error.ts'
import type { Limit, RateLimits } from '../../../platform/http/rate-limits.ts'
import { findPassword, getUser, lockPassword, lockUser } from '../../accounts/users/users.ts'
import { createDeviceCookie } from './cookies.ts'
import { getDeviceLabel } from './known-devices.ts'

const windowSeconds = 15 * 60

/** The key is account and network address, so that no user can lock out another. */
const accountLimit = { name: 'login', points: 10, seconds: windowSeconds }
/** By address alone, it bounds guessing over many accounts, and exceeds what a campus behind one address mistypes. */
const addressLimit = { name: 'login-address', points: 1000, seconds: windowSeconds }
/** A device that has logged in to the account before has this limit instead of both. */
const deviceLimit = { name: 'login-device', points: 10, seconds: windowSeconds }

type Attempt = { email: string; network: string; device: string | null }

/**
 * Counts a login as failed if the run refuses it. A rejection for one account takes nothing from the others behind the
 * address, and neither does a login that the server could not check.
 * @throws rate_limited
 */
export async function countLogin<T>(
  rateLimits: RateLimits,
  { email, network, device }: Attempt,
  run: () => Promise<T>,
): Promise<T> {
  const [limit, key]: [Limit, string] = device
    ? [deviceLimit, `${email} ${device}`]
    : [accountLimit, `${email} ${network}`]
  await rateLimits.consume(limit, key)
  if (!device) await rateLimits.consume(addressLimit, network)
  const refundAddress = () => (device ? undefined : rateLimits.refund(addressLimit, network))
  try {
    const result = await run()
    await rateLimits.reset(limit, key)
    await refundAddress()
    return result
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'busy') {
      await rateLimits.refund(limit, key)
      await refundAddress()
    }
    throw error
  }
}

type PasswordDeps = Pick<Deps, 'db' | 'passwords' | 'rateLimits' | 'config' | 'secret'>

/** A user who has just entered the password again, and the device that an alert shows. */
export type Confirmed = {
  viewer: Viewer
  sessionId: string
  device: string | null
  /** The hash that the password was compared with, for a check in the transaction that follows. */
  confirmedHash: string
}

type ConfirmationRequest = FastifyRequest & { viewer: Viewer; sessionId: string; body: { currentPassword: string } }

/**
 * Asks a signed-in user for the password before an action that is reserved for the account's owner. Failures count as
 * failed logins, so that a hijacked session gives no extra guesses. The returned function throws wrong_password,
 * rate_limited, busy.
 */
export function createConfirmPassword(deps: PasswordDeps): (request: ConfirmationRequest) => Promise<Confirmed> {
  const devices = createDeviceCookie(deps)
  return async (request) => {
    const { viewer, sessionId, body } = request
    const { email } = await getUser(deps.db, viewer.id)
    const device = devices.findDevice(request, email)
    const counted = { email, network: getIpKey(request.ip), device }
    const confirmedHash = await countLogin(deps.rateLimits, counted, async () => {
      const hash = await findPassword(deps.db, viewer.id)
      if (hash === null || !(await deps.passwords.verify(body.currentPassword, hash))) failWrongPassword()
      return hash
    })
    return { viewer, sessionId, device: getDeviceLabel(request), confirmedHash }
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
