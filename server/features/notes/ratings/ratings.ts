import { type RawBuilder, sql } from 'kysely'
import { likedNotesDisplayLimit } from '../../../../packages/contract/limits.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { RatingChange, UserRatings } from '../../../../packages/contract/ratings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { repeatAfterDeadlock } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { countingLikes, subtractLikes } from '../author-stats/author-stats.ts'
import { hiddenNoteIds, readNotes, visibleNotes } from '../visible-notes.ts'

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
export async function rateNote(db: Db, viewer: Viewer, noteId: string, change: RatingChange): Promise<Counts> {
  const [like, dislike, none] = [applyChange('like', change), applyChange('dislike', change), applyChange(null, change)]
  for (let isAgain = false; ; isAgain = true) {
    const rated = await repeatAfterDeadlock(() => saveRating(db, viewer, noteId, { like, dislike, none }))
    if (!rated) fail('note_not_found')
    if (rated.isOwn) fail('own_note_rating')
    // Another request of the same user was committed first. The same is possible if there was no rating to withdraw, so
    // the change is tried again.
    const mayHaveMissedOne = none === null && rated.hadNone && !isAgain
    if (!rated.isOutdated && !mayHaveMissedOne) return { likes: rated.likes, dislikes: rated.dislikes }
  }
}

/** Corrects all counts as if the user had never rated. The caller must lock the notes first. */
export async function deleteUserRatings(tx: Tx, userId: string): Promise<void> {
  await sql`
    WITH gone AS (DELETE FROM ratings WHERE user_id = ${userId} RETURNING note_id, liked, created_at),
    changed AS (
      UPDATE notes SET likes = likes - gone.liked::int, dislikes = dislikes - (NOT gone.liked)::int
        FROM gone WHERE notes.id = gone.note_id
      RETURNING notes.user_id AS owner_id, gone.created_at AS given_at, gone.liked)
    ${subtractLikes(sql`(SELECT * FROM changed WHERE liked) l`)}`.execute(tx)
}

export async function getUserRatings(db: Db, viewer: Viewer): Promise<UserRatings> {
  const [{ liked, disliked }, likedNotesDisplay] = await Promise.all([
    findRatedNoteIds(db, viewer.id),
    findLikedNotesDisplay(db, viewer),
  ])
  return { likedNotes: liked, dislikedNotes: disliked, likedNotesDisplay }
}

export type Rating = 'like' | 'dislike' | null
type Counts = { likes: number; dislikes: number }

/** The new rating for each rating that the user may have given before. */
type Outcomes = { like: Rating; dislike: Rating; none: Rating }
type Rated = Counts & { isOwn: boolean; hadNone: boolean; isOutdated: boolean }

/**
 * Uses one statement to save round trips. It locks the note first, like all transactions that change ratings or delete
 * a note, and counts from the locked row, because an UPDATE first checks the row version from the start of the
 * statement. A rating that the same user gave between that start and the lock is not seen: then nothing is saved, and
 * `isOutdated` is true if there was something to save. `hadNone`: no earlier rating was seen.
 * @returns null if there is no such note.
 */
async function saveRating(db: Db, viewer: Viewer, noteId: string, outcomes: Outcomes): Promise<Rated | null> {
  const isLike = (rating: Rating) => sql`${rating === null ? null : rating === 'like'}::boolean`
  const { rows } = await sql<Rated>`
    WITH note AS MATERIALIZED (
      SELECT id, user_id, likes, dislikes FROM ${visibleNotes(viewer)} n WHERE id = ${noteId} FOR UPDATE),
    given AS MATERIALIZED (
      SELECT r.liked, r.created_at FROM note JOIN ratings r ON r.note_id = note.id AND r.user_id = ${viewer.id} FOR UPDATE OF r),
    decided AS MATERIALIZED (
      SELECT note.id, note.user_id AS owner_id, likes, dislikes, given.liked AS before, given.created_at AS given_at,
             CASE given.liked WHEN true THEN ${isLike(outcomes.like)} WHEN false THEN ${isLike(outcomes.dislike)}
                              ELSE ${isLike(outcomes.none)} END AS after
        FROM note LEFT JOIN given ON true WHERE user_id IS DISTINCT FROM ${viewer.id}),
    saved AS (
      INSERT INTO ratings (user_id, note_id, liked)
      SELECT ${viewer.id}, id, after FROM decided WHERE after IS NOT NULL AND after IS DISTINCT FROM before
      ON CONFLICT (user_id, note_id) DO UPDATE SET liked = excluded.liked, created_at = now()
       WHERE EXISTS (SELECT FROM given) RETURNING note_id),
    gone AS (
      DELETE FROM ratings r USING decided
       WHERE after IS NULL AND before IS NOT NULL AND r.user_id = ${viewer.id} AND r.note_id = id RETURNING note_id),
    changed AS MATERIALIZED (
      SELECT decided.* FROM decided WHERE id IN (SELECT note_id FROM saved UNION ALL SELECT note_id FROM gone)),
    counted AS (
      UPDATE notes SET likes = changed.likes + (after IS TRUE)::int - (before IS TRUE)::int,
                       dislikes = changed.dislikes + (after IS FALSE)::int - (before IS FALSE)::int
        FROM changed WHERE notes.id = changed.id RETURNING notes.likes, notes.dislikes),
    ${countingLikes(viewer.id, sql`changed`)}
    SELECT coalesce(user_id = ${viewer.id}, false) AS "isOwn",
           coalesce(counted.likes, note.likes) AS likes, coalesce(counted.dislikes, note.dislikes) AS dislikes,
           NOT EXISTS (SELECT FROM given) AS "hadNone",
           EXISTS (SELECT FROM decided WHERE after IS DISTINCT FROM before) AND NOT EXISTS (SELECT FROM changed) AS "isOutdated"
      FROM note LEFT JOIN counted ON true`.execute(db)
  return rows[0] ?? null
}

/**
 * Returns the ids of the notes a user has rated, latest rating first, as JSON in one row: with thousands of ratings, a
 * row for each takes nearly three times as long. Each list is in the order of its index. The user id is in a subquery,
 * because planning for the actual user would cost as much as reading a hundred ids.
 */
async function findRatedNoteIds(db: Db, userId: string): Promise<{ liked: string[]; disliked: string[] }> {
  const idsOf = (condition: RawBuilder<unknown>) => sql`
    (SELECT json_agg(note_id)
       FROM (SELECT note_id FROM ratings WHERE user_id = (SELECT ${userId}::uuid) AND ${condition} AND note_id NOT IN ${hiddenNoteIds}
              ORDER BY created_at DESC, note_id DESC) AS rated)`
  const { rows } = await sql<{ liked: string[] | null; disliked: string[] | null }>`
    SELECT ${idsOf(sql`liked`)} AS liked, ${idsOf(sql`NOT liked`)} AS disliked`.execute(db)
  return { liked: rows[0]?.liked ?? [], disliked: rows[0]?.disliked ?? [] }
}

/** Returns the notes that the user liked last, for `likedNotesDisplay`. */
function findLikedNotesDisplay(db: Db, viewer: Viewer): Promise<Note[]> {
  const likedLast = sql`
    JOIN ratings r ON r.note_id = n.id AND r.user_id = ${viewer.id} AND r.liked
   ORDER BY r.created_at DESC, n.id DESC LIMIT ${sql.lit(likedNotesDisplayLimit)}`
  return readNotes(db, viewer, visibleNotes(viewer), likedLast)
}

/**
 * Locks the documents of a user's notes, then these notes and those the user rated, in the order of all transactions:
 * two users who are deleted at the same time may have rated each other's notes.
 */
export async function lockNotesOfUser(tx: Tx, userId: string): Promise<void> {
  await sql`
    SELECT id FROM documents WHERE id IN (SELECT document_id FROM notes WHERE user_id = ${userId})
     ORDER BY id FOR UPDATE`.execute(tx)
  await sql`
    SELECT id FROM notes
     WHERE id = ANY (ARRAY(SELECT id FROM notes WHERE user_id = ${userId}
                           UNION ALL SELECT note_id FROM ratings WHERE user_id = ${userId}))
     ORDER BY id FOR UPDATE`.execute(tx)
}
