import type { RatingChange, UserRatings } from '../../../../packages/contract/ratings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { repeatAfterDeadlock } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { takeBackLikes } from '../author-stats/author-stats.ts'
import type { Rating } from './ratings.queries.ts'
import * as queries from './ratings.queries.ts'

/** Liking takes back a dislike and the other way round (SPEC.md section 4). Taking back what is not there is nothing. */
export function applyChange(before: Rating, change: RatingChange): Rating {
  if (change.likes === '+') return 'like'
  if (change.dislikes === '+') return 'dislike'
  if (change.likes === '-' && before === 'like') return null
  if (change.dislikes === '-' && before === 'dislike') return null
  return before
}

/**
 * Idempotent: the counts change exactly when the user's own rating does, in one statement that holds the note.
 * @throws note_not_found, own_note_rating
 */
export async function rateNote(db: Db, viewer: Viewer, noteId: string, change: RatingChange): Promise<queries.Counts> {
  const [like, dislike, none] = [applyChange('like', change), applyChange('dislike', change), applyChange(null, change)]
  for (let isAgain = false; ; isAgain = true) {
    const rated = await repeatAfterDeadlock(() => queries.changeRating(db, viewer, noteId, { like, dislike, none }))
    if (!rated) fail('note_not_found')
    if (rated.isOwn) fail('own_note_rating')
    // Somebody's own clicks came that close together, and whoever was first has saved theirs by now. So may they have where
    // there was none to take back.
    const mayHaveMissedOne = none === null && rated.hadNone && !isAgain
    if (!rated.isOutdated && !mayHaveMissedOne) return { likes: rated.likes, dislikes: rated.dislikes }
  }
}

/** Those they share and those they have rated, until the transaction ends. */
export const lockNotesOfUser: (tx: Tx, userId: string) => Promise<void> = queries.lockNotesOfUser

/** As if the user had never rated anything. Their notes are locked first. */
export async function deleteUserRatings(tx: Tx, userId: string): Promise<void> {
  await takeBackLikes(tx, await queries.deleteRatingsOfUser(tx, userId))
}

export async function getUserRatings(db: Db, viewer: Viewer): Promise<UserRatings> {
  const [{ liked, disliked }, likedNotesDisplay] = await Promise.all([
    queries.findRatedNoteIds(db, viewer.id),
    queries.findLikedNotesDisplay(db, viewer),
  ])
  return { likedNotes: liked, dislikedNotes: disliked, likedNotesDisplay }
}
