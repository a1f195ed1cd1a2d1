import type { Db } from '../db/pool.ts'
import { fail } from '../failure.ts'
import { describeUntil, findLivingSuspension } from './find-living.ts'

/**
 * For what is closed to who is suspended.
 * @throws account_suspended; unauthorized where that is over: a login begins another session.
 */
export async function failSuspended(db: Db, userId: string): Promise<never> {
  const { until, reason } = (await findLivingSuspension(db, userId)) ?? fail('unauthorized')
  fail('account_suspended', { values: { until: describeUntil(until), reason } })
}
