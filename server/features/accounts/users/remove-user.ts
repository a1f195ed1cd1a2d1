import type { NotesChoice } from '../../../../packages/contract/settings.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { dropReportsOfUser } from '../../moderation/reports/reports.ts'
import { detachAnonymousNotes, removeNotesOfUser } from '../../notes/notes.ts'
import { deleteUserRatings, lockNotesOfUser } from '../../notes/ratings/ratings.ts'
import * as queries from './users.queries.ts'

/**
 * Removes a user with everything of theirs: notes, whose files the sweep removes; ratings, which leave the counters;
 * reports that were decided; sessions, links and credentials, which go with the row. The database refuses the last step,
 * and with it the whole transaction, where a note or a rating came in between.
 * @param notes what becomes of anonymous ones; named ones go with the account.
 */
export async function removeUser(tx: Tx, userId: string, notes: NotesChoice = 'remove-now'): Promise<void> {
  // Before what is about notes: whoever deletes one holds it first. Counters are locked after all notes are.
  await lockNotesOfUser(tx, userId)
  await dropReportsOfUser(tx, userId)
  if (notes !== 'remove-now') await detachAnonymousNotes(tx, userId, { isDeleted: notes === 'remove' })
  await removeNotesOfUser(tx, userId)
  await deleteUserRatings(tx, userId)
  await queries.deleteUser(tx, userId)
}
