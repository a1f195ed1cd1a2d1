import type { Tx } from '../db/pool.ts'
import { removeNotesOfUser } from '../notes/notes.ts'
import { takeBackRatingsOfUser } from '../ratings/ratings.ts'
import * as queries from './users.queries.ts'

/**
 * Removes a user with everything of theirs: notes, whose files the sweep removes; ratings, which leave the counters;
 * sessions, links and credentials, which go with the row. The database refuses the last step, and with it the whole
 * transaction, where a note or a rating came in between.
 */
export async function removeUser(tx: Tx, userId: string): Promise<void> {
  // Counters are locked after all notes are.
  await removeNotesOfUser(tx, userId)
  await takeBackRatingsOfUser(tx, userId)
  await queries.deleteUser(tx, userId)
}
