import {
  type ContinuedNote,
  maxNotesInProgress,
  type ReadingPosition,
} from '../../../../packages/contract/reading-progress.ts'
import type { Db } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findNotesById } from '../visible-notes.ts'
import * as queries from './reading-progress.queries.ts'

/** @throws note_not_found */
export async function getPosition(db: Db, viewer: Viewer, noteId: string): Promise<ReadingPosition> {
  return { page: (await queries.findPage(db, viewer, noteId)) ?? fail('note_not_found') }
}

/** @throws note_not_found */
export async function savePosition(
  db: Db,
  viewer: Viewer,
  noteId: string,
  { page }: ReadingPosition,
): Promise<ReadingPosition> {
  return { page: (await queries.savePage(db, viewer, noteId, page)) ?? fail('note_not_found') }
}

/** Returns the notes that the viewer has begun to read and not finished. */
export async function listNotesInProgress(db: Db, viewer: Viewer): Promise<ContinuedNote[]> {
  const unfinished = await queries.findUnfinished(db, viewer, maxNotesInProgress)
  const pages = new Map(unfinished.map(({ noteId, page }) => [noteId, page]))
  const notes = await findNotesById(db, viewer, [...pages.keys()])
  return notes.map((note) => ({ note, page: pages.get(note._id) ?? 1 }))
}

/** Returns the viewer's positions in all notes, finished or not. */
export const listPositions = (db: Db, viewer: Viewer) => queries.findPositions(db, viewer)

/** @throws note_not_found */
export async function dismiss(db: Db, viewer: Viewer, noteId: string): Promise<void> {
  if (!(await queries.dismiss(db, viewer.id, noteId))) fail('note_not_found')
}
