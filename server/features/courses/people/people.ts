import type { Person } from '../../../../packages/contract/people.ts'
import type { NotePage, NoteQuery } from '../../../../packages/contract/search.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { QueryRunner } from '../../../platform/db/query-with-timeout.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findUser } from '../../accounts/users/users.ts'
import { listNotes } from '../../search/search.ts'
import * as queries from './people.queries.ts'

/**
 * Returns a user's profile. The notes are counted before the user is read, so that an account without notes gets the
 * same response, with the same work, as an unknown id.
 * @throws person_not_found
 */
export async function getPersonProfile(db: Db, viewer: Viewer, personId: string): Promise<Person> {
  const { notes, since } = await queries.countAttributedNotes(db, viewer, personId)
  if (since === null) fail('person_not_found')
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
  if (!(await deps.readAnyway((db) => queries.hasAttributedNotes(db, viewer, personId)))) fail('person_not_found')
  return listNotes(deps, { sharedBy: personId }, viewer, query)
}
