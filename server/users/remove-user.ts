import type { Tx } from '../db/pool.ts'
import { releaseNotesOfUser, removeNotesOfUser } from '../notes/notes.ts'
import { lockNotesOfUser, takeBackRatingsOfUser } from '../ratings/ratings.ts'
import { dropReportsOfUser } from '../reports/reports.ts'
import * as queries from './users.queries.ts'

/**
 * Removes a user with everything of theirs: notes, whose files the sweep removes; ratings, which leave the counters;
 * reports that were decided; sessions, links and credentials, which go with the row. The database refuses the last step,
 * and with it the whole transaction, where a note or a rating came in between.
 * @param keepsNotes whether their anonymous notes stay, as nobody's.
 */
export async function removeUser(tx: Tx, userId: string, { keepsNotes = false } = {}): Promise<void> {
  // Before what is about notes: whoever deletes one holds it first. Counters are locked after all notes are.
  await lockNotesOfUser(tx, userId)
  await dropReportsOfUser(tx, userId)
  if (keepsNotes) await releaseNotesOfUser(tx, userId)
  await removeNotesOfUser(tx, userId)
  await takeBackRatingsOfUser(tx, userId)
  await queries.deleteUser(tx, userId)
}
