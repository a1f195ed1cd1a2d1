import { sql } from 'kysely'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { readNotes, visibleNotes } from '../../notes/visible-notes.ts'

export function findRecentlyViewedNotes(db: Db, viewer: Viewer): Promise<Note[]> {
  const inOrder = sql`JOIN recently_viewed v ON v.note_id = n.id AND v.user_id = ${viewer.id} ORDER BY v.position`
  return readNotes(db, viewer, visibleNotes(viewer), inOrder)
}

/**
 * Replaces the list of a user whom the caller has locked. Ids without a visible note are dropped in the inserting
 * statement.
 * @returns the note that is newly at the front, which means that it was opened; otherwise null.
 */
export async function replaceRecentlyViewed(
  tx: Tx,
  viewer: Viewer,
  noteIds: string[],
  limit: number,
): Promise<string | null> {
  const { id: userId } = viewer
  // Locks the notes before the rows about them, as deleting a note does, to prevent a deadlock.
  await sql`SELECT id FROM notes WHERE id = ANY(${noteIds}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(tx)
  // A note that was hidden meanwhile is in no list, though its row exists until the list is replaced.
  const { rows: gone } = await sql<Viewed & { isVisible: boolean }>`
    DELETE FROM recently_viewed v WHERE user_id = ${userId}
    RETURNING note_id, position,
              EXISTS (SELECT FROM ${visibleNotes(viewer)} n WHERE n.id = v.note_id) AS "isVisible"`.execute(tx)
  const { rows } = await sql<Viewed>`
    INSERT INTO recently_viewed (user_id, note_id, position)
    SELECT ${userId}, n.id, row_number() OVER (ORDER BY min(asked.position)) - 1
      FROM unnest(${noteIds}::uuid[]) WITH ORDINALITY AS asked (id, position)
      JOIN ${visibleNotes(viewer)} n ON n.id = asked.id
     GROUP BY n.id
     ORDER BY min(asked.position)
     LIMIT ${sql.lit(limit)}
    RETURNING note_id, position`.execute(tx)
  const [before, now] = [gone.filter(({ isVisible }) => isVisible), rows].map(frontOf)
  return now !== undefined && now === noteIds[0] && now !== before ? now : null
}

type Viewed = { note_id: string; position: number }
/** Deleted notes leave gaps in the positions, so the front is the lowest position, not 0. */
const frontOf = (list: Viewed[]) => list.toSorted((one, other) => one.position - other.position)[0]?.note_id
