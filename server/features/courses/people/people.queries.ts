import { sql } from 'kysely'
import type { Db } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { isAttributedTo, visibleNotes } from '../../notes/visible-notes.ts'

type Shared = { notes: number; since: Date | null }

/** Counts the notes that a user shares by name, with the time of the first; null without notes. */
export async function countAttributedNotes(db: Db, viewer: Viewer, personId: string): Promise<Shared> {
  const { rows } = await sql<Shared>`
    SELECT count(*)::integer AS notes, min(n.created_at) AS since
      FROM ${visibleNotes(viewer)} n WHERE ${isAttributedTo(personId)}`.execute(db)
  return rows[0] ?? { notes: 0, since: null }
}

/** The index order makes PostgreSQL use the user's notes; without an order it may scan those of all users. */
export async function hasAttributedNotes(db: Db, viewer: Viewer, personId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${visibleNotes(viewer)} n WHERE ${isAttributedTo(personId)}
     ORDER BY n.created_at DESC, n.id DESC LIMIT 1`.execute(db)
  return rows.length > 0
}
