import type { AuthorStats } from '../../../../packages/contract/author-stats.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { lockUser } from '../../accounts/users/users.ts'
import * as queries from './author-stats.queries.ts'

/** Anonymous notes are counted like all others, because only their author sees the numbers. */
export async function describeAuthorStats(db: Db, viewer: Viewer): Promise<AuthorStats> {
  const [totals, weeks] = await Promise.all([queries.findTotals(db, viewer.id), queries.findWeeks(db, viewer.id)])
  return { ...totals, weeks }
}

/** Queries that the transactions of views and ratings use as they are. */
export const { countingLikes, recordView, takeBackLikes } = queries

const batchSize = 200

/**
 * Sums up the rows of each week, one owner at a time. The owner is locked first, as in a deletion, with a lock that
 * openings and likes do not wait for.
 */
export async function compactAuthorStats(db: Db, signal: AbortSignal): Promise<void> {
  let owners = await queries.findOwnersToCompact(db, nilId, batchSize)
  while (owners.length > 0 && !signal.aborted) {
    for (const ownerId of owners) {
      await inTransaction(db, async (tx) => {
        await lockUser(tx, ownerId)
        await queries.compactWeeks(tx, ownerId)
      })
    }
    owners = await queries.findOwnersToCompact(db, owners.at(-1) ?? nilId, batchSize)
  }
}
