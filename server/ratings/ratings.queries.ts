import { type RawBuilder, sql } from 'kysely'
import { likedNotesDisplayLimit } from '../../contract/limits.ts'
import type { Note } from '../../contract/notes.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Viewer } from '../http/viewer.ts'
import { hiddenNoteIds, readNotes, visibleNotes } from '../notes/visible-notes.ts'

export type Rating = 'like' | 'dislike' | null
export type Counts = { likes: number; dislikes: number }

/** The note's owner and counts; nobody else can rate or delete the note until the transaction ends. */
export async function lockNote(
  tx: Tx,
  viewer: Viewer,
  noteId: string,
): Promise<(Counts & { ownerId: string | null }) | null> {
  const row = await tx
    .selectFrom(visibleNotes(viewer).as('n'))
    .select(['user_id as ownerId', 'likes', 'dislikes'])
    .where('id', '=', noteId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export type GivenRating = { rating: Rating; givenAt: Date }

/** Null: none. */
export async function findRating(db: Db, userId: string, noteId: string): Promise<GivenRating | null> {
  const row = await db
    .selectFrom('ratings')
    .select(['liked', 'created_at'])
    .where('user_id', '=', userId)
    .where('note_id', '=', noteId)
    .executeTakeFirst()
  return row ? { rating: row.liked ? 'like' : 'dislike', givenAt: row.created_at } : null
}

export async function saveRating(tx: Tx, userId: string, noteId: string, rating: Rating): Promise<void> {
  if (rating === null) {
    await tx.deleteFrom('ratings').where('user_id', '=', userId).where('note_id', '=', noteId).execute()
    return
  }
  const liked = rating === 'like'
  await tx
    .insertInto('ratings')
    .values({ user_id: userId, note_id: noteId, liked })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'note_id']).doUpdateSet({ liked, created_at: sql<Date>`now()` }),
    )
    .execute()
}

export function changeCounts(tx: Tx, noteId: string, by: Counts): Promise<Counts> {
  return tx
    .updateTable('notes')
    .set((note) => ({ likes: note('likes', '+', by.likes), dislikes: note('dislikes', '+', by.dislikes) }))
    .where('id', '=', noteId)
    .returning(['likes', 'dislikes'])
    .executeTakeFirstOrThrow()
}

/**
 * Ids of the notes a user has rated, the latest rating first. As JSON in one row: some students have rated thousands, and a
 * row for each takes nearly three times as long to read. Each list comes in the order of its index.
 */
export async function findRatedNoteIds(db: Db, userId: string): Promise<{ liked: string[]; disliked: string[] }> {
  const idsOf = (isMeant: RawBuilder<unknown>) => sql`
    (SELECT json_agg(note_id)
       FROM (SELECT note_id FROM ratings WHERE user_id = ${userId} AND ${isMeant} AND note_id NOT IN ${hiddenNoteIds}
              ORDER BY created_at DESC, note_id DESC) AS rated)`
  const { rows } = await sql<{ liked: string[] | null; disliked: string[] | null }>`
    SELECT ${idsOf(sql`liked`)} AS liked, ${idsOf(sql`NOT liked`)} AS disliked`.execute(db)
  return { liked: rows[0]?.liked ?? [], disliked: rows[0]?.disliked ?? [] }
}

/** The notes a user liked last, for the user's own `likedNotesDisplay`. */
export function findLikedNotesDisplay(db: Db, viewer: Viewer): Promise<Note[]> {
  const likedLast = sql`
    JOIN ratings r ON r.note_id = n.id AND r.user_id = ${viewer.id} AND r.liked
   ORDER BY r.created_at DESC, n.id DESC LIMIT ${sql.lit(likedNotesDisplayLimit)}`
  return readNotes(db, viewer, visibleNotes(viewer), likedLast)
}

/**
 * The notes before the rows about them and in one order, as everybody does who changes counts.
 * @returns the likes that are gone.
 */
export async function deleteRatingsOfUser(
  tx: Tx,
  userId: string,
): Promise<{ ownerId: string | null; givenAt: Date }[]> {
  await sql`
    SELECT id FROM notes WHERE id IN (SELECT note_id FROM ratings WHERE user_id = ${userId})
     ORDER BY id FOR UPDATE`.execute(tx)
  const { rows } = await sql<{ ownerId: string | null; givenAt: Date; liked: boolean }>`
    WITH gone AS (DELETE FROM ratings WHERE user_id = ${userId} RETURNING note_id, liked, created_at)
    UPDATE notes SET likes = likes - gone.liked::int, dislikes = dislikes - (NOT gone.liked)::int
      FROM gone WHERE notes.id = gone.note_id
    RETURNING notes.user_id AS "ownerId", gone.created_at AS "givenAt", gone.liked`.execute(tx)
  return rows.filter(({ liked }) => liked)
}
