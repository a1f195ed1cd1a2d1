import type { NotesOnDeletion } from '../../../../packages/contract/settings.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { deleteClosedReports } from '../../moderation/reports/reports.ts'
import { deleteNotesOfUser, detachAnonymousNotes } from '../../notes/notes.ts'
import { deleteUserRatings, lockNotesOfUser } from '../../notes/ratings/ratings.ts'
import { deleteUser } from './users.ts'

/**
 * Removes a user with their notes, whose files the sweep deletes; their ratings, with the counts; decided reports; and
 * sessions, links and credentials, which are deleted with the row. If a note or a rating is added meanwhile, the
 * database rejects the last step and so the whole transaction.
 * @param notes decides about anonymous notes; named ones are always deleted.
 */
export async function removeUser(tx: Tx, userId: string, notes: NotesOnDeletion = 'remove-now'): Promise<void> {
  // Notes are locked before rows about them, as deleting a note does. Counters are locked after all notes.
  await lockNotesOfUser(tx, userId)
  await deleteClosedReports(tx, userId)
  if (notes !== 'remove-now') await detachAnonymousNotes(tx, userId, { isDeleted: notes === 'remove' })
  await deleteNotesOfUser(tx, userId)
  await deleteUserRatings(tx, userId)
  await deleteUser(tx, userId)
}
