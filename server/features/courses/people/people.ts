import { sql } from 'kysely'
import type { Person } from '../../../../packages/contract/people.ts'
import type { NotePage, NoteQuery } from '../../../../packages/contract/search.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { QueryRunner } from '../../../platform/db/query-with-timeout.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findUser } from '../../accounts/users/users.ts'
import { isAttributedTo, visibleNotes } from '../../notes/visible-notes.ts'
import { listNotes } from '../../search/search.ts'

/**
 * Returns a user's profile. The notes are counted before the user is read, so that an account without notes gets the
 * same response, with the same work, as an unknown id.
 * @throws person_not_found
 */
export async function getPersonProfile(db: Db, viewer: Viewer, personId: string): Promise<Person> {
  const { rows } = await sql<{ notes: number; since: Date | null }>`
    SELECT count(*)::integer AS notes, min(n.created_at) AS since
      FROM ${visibleNotes(viewer)} n WHERE ${isAttributedTo(personId)}`.execute(db)
  const { notes, since } = rows[0] ?? {}
  if (!notes || !since) fail('person_not_found')
  const { id, name } = (await findUser(db, { id: personId })) ?? fail('person_not_found')
  return { _id: id, name, notes, since: since.toISOString() }
}

/** @throws person_not_found, busy */
export async function listNotesOf(
  deps: QueryRunner,
  viewer: Viewer,
  personId: string,
  query: NoteQuery,
): Promise<NotePage> {
  if (!(await deps.readAnyway((db) => hasAttributedNotes(db, viewer, personId)))) fail('person_not_found')
  return listNotes(deps, { sharedBy: personId }, viewer, query)
}

/** The index order makes PostgreSQL use the user's notes; without an order it may scan those of all users. */
async function hasAttributedNotes(db: Db, viewer: Viewer, personId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${visibleNotes(viewer)} n WHERE ${isAttributedTo(personId)}
     ORDER BY n.created_at DESC, n.id DESC LIMIT 1`.execute(db)
  return rows.length > 0
}
