import type { AuthorStats } from '../../../../packages/contract/author-stats.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { lockUser } from '../../accounts/users/users.ts'
import * as queries from './author-stats.queries.ts'

/** Anonymous notes are counted like all others, because only their author sees the numbers. */
export async function describeAuthorStats(db: Db, viewer: Viewer): Promise<AuthorStats> {
  const [totals, weeks] = await Promise.all([queries.findTotals(db, viewer.id), queries.findWeeks(db, viewer.id)])
  return { ...totals, weeks }
}

/**
 * Counts that a student opened another user's note, at most once a day. Like all counting here it must come last in a
 * transaction that already holds the note's lock, to avoid deadlocks.
 */
export const recordView: (tx: Tx, viewer: Viewer, noteId: string) => Promise<void> = queries.insertView

/** For a statement that changes a rating and locks the note, so that a like takes one round trip to PostgreSQL. */
export const { countingLikes } = queries

/** @param likes the note owners and times of the likes. Users who gave them still count as helped. */
export const takeBackLikes: (tx: Tx, likes: queries.GivenLike[]) => Promise<void> = queries.takeBackLikes

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
