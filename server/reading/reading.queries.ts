import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import type { Viewer } from '../http/viewer.ts'
import { visibleNotes } from '../notes/visible-notes.ts'

/** The page one stopped at, 1 where one never began, the last one where the file has become shorter. Null: no such note. */
export async function findPage(db: Db, viewer: Viewer, noteId: string): Promise<number | null> {
  const { rows } = await sql<{ page: number }>`
    SELECT least(coalesce(r.page, 1), d.page_count) AS page
      FROM ${visibleNotes(viewer)} n
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
      FROM ${visibleNotes(viewer)} n
      JOIN documents d ON d.id = n.document_id
     WHERE n.id = ${noteId}
       FOR KEY SHARE OF n
    ON CONFLICT (user_id, note_id) DO UPDATE SET page = excluded.page, read_at = now()
    RETURNING page`.execute(db)
  return rows[0]?.page ?? null
}
