import type { RatingChange, UserRatings } from '../../contract/ratings.ts'
import type { Db, Tx } from '../db/pool.ts'
import { fail } from '../failure.ts'
import type { Viewer } from '../http/viewer.ts'
import { countLike, takeBackLikes } from '../sharing/sharing.ts'
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
 * Idempotent: the counts change exactly when the user's own rating does, in one transaction that holds the note.
 * @throws note_not_found, own_note_rating
 */
export function rateNote(db: Db, viewer: Viewer, noteId: string, change: RatingChange): Promise<queries.Counts> {
  const { id: userId } = viewer
  return db.transaction().execute(async (tx) => {
    const note = (await queries.lockNote(tx, viewer, noteId)) ?? fail('note_not_found')
    if (note.ownerId === userId) fail('own_note_rating')

    const given = await queries.findRating(tx, userId, noteId)
    const before = given?.rating ?? null
    const after = applyChange(before, change)
    if (after === before) return { likes: note.likes, dislikes: note.dislikes }

    await queries.saveRating(tx, userId, noteId, after)
    const difference = (rating: Rating) => Number(after === rating) - Number(before === rating)
    const counts = await queries.changeCounts(tx, noteId, {
      likes: difference('like'),
      dislikes: difference('dislike'),
    })
    if (after === 'like') await countLike(tx, { ownerId: note.ownerId, readerId: userId })
    else if (given?.rating === 'like') await takeBackLikes(tx, [{ ownerId: note.ownerId, givenAt: given.givenAt }])
    return counts
  })
}

/** As if the user had never rated anything. */
export async function takeBackRatingsOfUser(tx: Tx, userId: string): Promise<void> {
  await takeBackLikes(tx, await queries.deleteRatingsOfUser(tx, userId))
}

export async function getUserRatings(db: Db, viewer: Viewer): Promise<UserRatings> {
  const [{ liked, disliked }, likedNotesDisplay] = await Promise.all([
    queries.findRatedNoteIds(db, viewer.id),
    queries.findLikedNotesDisplay(db, viewer),
  ])
  return { likedNotes: liked, dislikedNotes: disliked, likedNotesDisplay }
}
