import type { RatingChange, UserRatings } from '../../../../packages/contract/ratings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { repeatAfterDeadlock } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { takeBackLikes } from '../author-stats/author-stats.ts'
import type { Rating } from './ratings.queries.ts'
import * as queries from './ratings.queries.ts'

/**
 * A like replaces a dislike and vice versa (SPEC.md section 4). Withdrawing a rating that does not exist has no effect.
 */
export function applyChange(before: Rating, change: RatingChange): Rating {
  if (change.likes === '+') return 'like'
  if (change.dislikes === '+') return 'dislike'
  if (change.likes === '-' && before === 'like') return null
  if (change.dislikes === '-' && before === 'dislike') return null
  return before
}

/**
 * Idempotent: the counts change exactly when the user's own rating does, in one statement that locks the note.
 * @throws note_not_found, own_note_rating
 */
export async function rateNote(db: Db, viewer: Viewer, noteId: string, change: RatingChange): Promise<queries.Counts> {
  const [like, dislike, none] = [applyChange('like', change), applyChange('dislike', change), applyChange(null, change)]
  for (let isAgain = false; ; isAgain = true) {
    const rated = await repeatAfterDeadlock(() => queries.changeRating(db, viewer, noteId, { like, dislike, none }))
    if (!rated) fail('note_not_found')
    if (rated.isOwn) fail('own_note_rating')
    // Another request of the same user was committed first. The same is possible if there was no rating to withdraw, so
    // the change is tried again.
    const mayHaveMissedOne = none === null && rated.hadNone && !isAgain
    if (!rated.isOutdated && !mayHaveMissedOne) return { likes: rated.likes, dislikes: rated.dislikes }
  }
}

export const { lockNotesOfUser } = queries

/** Corrects all counts as if the user had never rated. The caller must lock the notes first. */
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
