import type { AuthorStats } from '../../../../packages/contract/author-stats.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { lockUser } from '../../accounts/users/users.ts'
import * as queries from './author-stats.queries.ts'

/** What came of the viewer's notes; anonymous ones count as all others do, since nobody else is told. */
export async function describeSharing(db: Db, viewer: Viewer): Promise<AuthorStats> {
  const [totals, weeks] = await Promise.all([queries.findTotals(db, viewer.id), queries.findWeeks(db, viewer.id)])
  return { ...totals, weeks }
}

/**
 * That a student opened somebody else's note, once a day. One's own does not count. As all that is counted here: last in its
 * transaction, which holds the note by then, so that no two wait for one another.
 */
export const countOpening: (tx: Tx, viewer: Viewer, noteId: string) => Promise<void> = queries.insertView

/** For a statement that changes a rating and holds the note, so that a like takes one turn to PostgreSQL. */
export const { countingLikes } = queries

/** @param likes when they were given, and of whose notes. Who gave them stays among those whom notes helped. */
export const takeBackLikes: (tx: Tx, likes: queries.GivenLike[]) => Promise<void> = queries.takeBackLikes

const foldedAtOnce = 200

/**
 * Adds up the rows of each week, of one owner after the other. The owner is locked first, as by whoever removes them, and
 * in a way that neither an opening nor a like waits for.
 */
export async function compactAuthorStats(db: Db, signal: AbortSignal): Promise<void> {
  let owners = await queries.findOwnersToCompact(db, nilId, foldedAtOnce)
  while (owners.length > 0 && !signal.aborted) {
    for (const ownerId of owners) {
      await inTransaction(db, async (tx) => {
        await lockUser(tx, ownerId)
        await queries.compactWeeks(tx, ownerId)
      })
    }
    owners = await queries.findOwnersToCompact(db, owners.at(-1) ?? nilId, foldedAtOnce)
  }
}
