import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/**
 * For a statement: tells its view of the notes from every other in which a search by date may find a note that it does not
 * find in this one, or in another place. See `note_marks` in db/schema.sql.
 */
export const noteMark = sql<string>`(SELECT coalesce(bit_xor(mark), 0)::text FROM note_marks)`

export async function readNoteMark(db: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`SELECT ${noteMark} AS mark`.execute(db)
  return rows[0]?.mark ?? ''
}

/** The rows of processes of PostgreSQL that are gone become one, with a new mark. */
export async function gatherNoteMarks(db: Db): Promise<void> {
  await sql`
    WITH gathered AS (
      DELETE FROM note_marks WHERE backend <> 0 AND backend NOT IN (SELECT pid FROM pg_stat_activity))
    UPDATE note_marks SET mark = new_note_mark() WHERE backend = 0`.execute(db)
}
