import type { Limit, RateLimits } from '../../../platform/http/rate-limits.ts'

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
