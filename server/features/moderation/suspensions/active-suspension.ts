import type { Db } from '../../../platform/db/pool.ts'
import { fail } from '../../../platform/http/api-error.ts'
import * as queries from './suspensions.queries.ts'

/**
 * Returns the reason and end of a user's active suspension of either kind; null without one. A caller that starts
 * something for the user must lock the user first.
 */
export const findActiveSuspension: (db: Db, userId: string) => Promise<queries.OwnSuspension | null> =
  queries.findActive

/** Formats the end for users: `until 3 May 2027 (UTC)`. */
export const describeUntil = (until: Date | null): string =>
  until
    ? `until ${until.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })} (UTC)`
    : 'until an admin lifts it'

/**
 * Rejects an action that is closed to suspended users.
 * @throws account_suspended; unauthorized if it has ended, because a new login starts another session.
 */
export async function throwSuspended(db: Db, userId: string): Promise<never> {
  const { until, reason } = (await findActiveSuspension(db, userId)) ?? fail('unauthorized')
  fail('account_suspended', { values: { until: describeUntil(until), reason } })
}
