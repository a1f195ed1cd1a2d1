import { sql } from 'kysely'
import {
  type ContinuedNote,
  maxNotesInProgress,
  type ReadingPosition,
} from '../../../../packages/contract/reading-progress.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { accessibleNotes, hiddenNoteIds, joinNotes, visibleNotes } from '../visible-notes.ts'

/**
 * Returns the saved page, 1 without one, and at most the last page, since files can become shorter.
 * @throws note_not_found
 */
export async function getPosition(db: Db, viewer: Viewer, noteId: string): Promise<ReadingPosition> {
  const { rows } = await sql<ReadingPosition>`
    SELECT least(coalesce(r.page, 1), d.page_count) AS page
      FROM ${accessibleNotes(viewer)} n
      JOIN documents d ON d.id = n.document_id
      LEFT JOIN reading_positions r ON r.note_id = n.id AND r.user_id = ${viewer.id}
     WHERE n.id = ${noteId}`.execute(db)
  return rows[0] ?? fail('note_not_found')
}

/** @returns the saved page, which is at most the last one. @throws note_not_found */
export async function savePosition(
  db: Db,
  viewer: Viewer,
  noteId: string,
  { page }: ReadingPosition,
): Promise<ReadingPosition> {
  // The lock waits for a concurrent deletion of the note, after which nothing is inserted.
  const { rows } = await sql<ReadingPosition>`
    INSERT INTO reading_positions (user_id, note_id, page)
    SELECT ${viewer.id}, n.id, least(${page}::int, d.page_count)
      FROM ${accessibleNotes(viewer)} n
      JOIN documents d ON d.id = n.document_id
     WHERE n.id = ${noteId}
       FOR KEY SHARE OF n
    ON CONFLICT (user_id, note_id) DO UPDATE SET page = excluded.page, read_at = now(), dismissed = false
    RETURNING page`.execute(db)
  return rows[0] ?? fail('note_not_found')
}

/**
 * Returns the notes that the viewer has begun to read and not finished. A note with an unknown page count is never
 * finished.
 */
export async function listNotesInProgress(db: Db, viewer: Viewer): Promise<ContinuedNote[]> {
  const unfinished = await listPositions(db, viewer, {
    isMeant: sql`NOT r.dismissed AND (d.page_count IS NULL OR r.page < d.page_count)`,
    limit: sql`LIMIT ${sql.lit(maxNotesInProgress)}`,
  })
  return joinNotes(db, viewer, unfinished)
}

type Position = { noteId: string; page: number; readAt: Date }

/** Returns the viewer's positions in all notes, the last read note first. */
export async function listPositions(
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

/** @throws note_not_found when no position is saved for the note. */
export async function dismiss(db: Db, { id }: Viewer, noteId: string): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('reading_positions')
    .set({ dismissed: true })
    .where('user_id', '=', id)
    .where('note_id', '=', noteId)
    .where('note_id', 'not in', hiddenNoteIds)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) fail('note_not_found')
}
