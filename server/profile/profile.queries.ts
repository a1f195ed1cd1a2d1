import { sql } from 'kysely'
import type { Note } from '../../contract/notes.ts'
import type { Db } from '../db/pool.ts'
import type { Viewer } from '../http/viewer.ts'
import { readNotes, visibleNotes } from '../notes/visible-notes.ts'
import { lockUser } from '../users/users.ts'

export function findRecentlyViewedNotes(db: Db, viewer: Viewer): Promise<Note[]> {
  const inOrder = sql`JOIN recently_viewed v ON v.note_id = n.id AND v.user_id = ${viewer.id} ORDER BY v.position`
  return readNotes(db, viewer, visibleNotes(viewer), inOrder)
}

/**
 * Replaces the list in one transaction; two tabs saving at once leave one list or the other, never a mix, because
 * both first lock the user. Ids of no note are dropped here, in the same statement that inserts.
 */
export async function replaceRecentlyViewed(db: Db, viewer: Viewer, noteIds: string[], limit: number): Promise<void> {
  const { id: userId } = viewer
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // The notes before the rows about them, as deleting a note does, or the two would wait for each other.
    await sql`SELECT id FROM notes WHERE id = ANY(${noteIds}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(tx)
    await tx.deleteFrom('recently_viewed').where('user_id', '=', userId).execute()
    await sql`
      INSERT INTO recently_viewed (user_id, note_id, position)
      SELECT ${userId}, n.id, row_number() OVER (ORDER BY min(asked.position)) - 1
        FROM unnest(${noteIds}::uuid[]) WITH ORDINALITY AS asked (id, position)
        JOIN ${visibleNotes(viewer)} n ON n.id = asked.id
       GROUP BY n.id
       ORDER BY min(asked.position)
       LIMIT ${limit}`.execute(tx)
  })
}
