import type { Db } from '../../../platform/db/pool.ts'
import { fail } from '../../../platform/http/api-error.ts'
import * as queries from './suspensions.queries.ts'

/**
 * Why and until when an account is suspended, whichever way; null where it is not. Whoever starts something for a user holds
 * them first.
 */
export const findActiveSuspension: (db: Db, userId: string) => Promise<queries.OwnSuspension | null> =
  queries.findLiving

/** `until 3 May 2027 (UTC)`, as people read it. */
export const describeUntil = (until: Date | null): string =>
  until
    ? `until ${until.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })} (UTC)`
    : 'until an admin lifts it'

/**
 * For what is closed to who is suspended.
 * @throws account_suspended; unauthorized where that is over: a login begins another session.
 */
export async function throwSuspended(db: Db, userId: string): Promise<never> {
  const { until, reason } = (await findActiveSuspension(db, userId)) ?? fail('unauthorized')
  fail('account_suspended', { values: { until: describeUntil(until), reason } })
}
