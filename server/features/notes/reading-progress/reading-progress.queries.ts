import { sql } from 'kysely'
import type { Db } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { accessibleNotes, hiddenNoteIds, visibleNotes } from '../visible-notes.ts'

/** The page one stopped at, 1 where one never began, the last one where the file has become shorter. Null: no such note. */
export async function findPage(db: Db, viewer: Viewer, noteId: string): Promise<number | null> {
  const { rows } = await sql<{ page: number }>`
    SELECT least(coalesce(r.page, 1), d.page_count) AS page
      FROM ${accessibleNotes(viewer)} n
      JOIN documents d ON d.id = n.document_id
      LEFT JOIN reading_positions r ON r.note_id = n.id AND r.user_id = ${viewer.id}
     WHERE n.id = ${noteId}`.execute(db)
  return rows[0]?.page ?? null
}

/** @returns the page that is kept, which is at most the last one; null where there is no such note. */
export async function savePage(db: Db, viewer: Viewer, noteId: string, page: number): Promise<number | null> {
  // The note is held: one that is being deleted is waited for, and then there is nothing to be inserted.
  const { rows } = await sql<{ page: number }>`
    INSERT INTO reading_positions (user_id, note_id, page)
    SELECT ${viewer.id}, n.id, least(${page}::int, d.page_count)
      FROM ${accessibleNotes(viewer)} n
      JOIN documents d ON d.id = n.document_id
     WHERE n.id = ${noteId}
       FOR KEY SHARE OF n
    ON CONFLICT (user_id, note_id) DO UPDATE SET page = excluded.page, read_at = now(), set_aside = false
    RETURNING page`.execute(db)
  return rows[0]?.page ?? null
}

type Position = { noteId: string; page: number; readAt: Date }

/** The unfinished ones. Nobody knows the last page of a file whose pages nobody can count. */
export const findUnfinished = (db: Db, viewer: Viewer, limit: number): Promise<Position[]> =>
  findPositions(db, viewer, {
    isMeant: sql`NOT r.set_aside AND (d.page_count IS NULL OR r.page < d.page_count)`,
    limit: sql`LIMIT ${sql.lit(limit)}`,
  })

/** All of them, read last first. */
export async function findPositions(
  db: Db,
  viewer: Viewer,
  { isMeant = sql`true`, limit = sql`` } = {},
): Promise<Position[]> {
  const { rows } = await sql<Position>`
    SELECT n.id AS "noteId", r.page, r.read_at AS "readAt"
      FROM reading_positions r
      JOIN ${visibleNotes(viewer)} n ON n.id = r.note_id
      JOIN documents d ON d.id = n.document_id
     WHERE r.user_id = ${viewer.id} AND ${isMeant}
     ORDER BY r.read_at DESC ${limit}`.execute(db)
  return rows
}

/** @returns false where nothing is remembered of such a note. */
export async function dismiss(db: Db, userId: string, noteId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reading_positions')
    .set({ set_aside: true })
    .where('user_id', '=', userId)
    .where('note_id', '=', noteId)
    .where('note_id', 'not in', hiddenNoteIds)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
