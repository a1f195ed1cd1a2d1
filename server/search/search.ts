import { pageSize } from '../../contract/limits.ts'
import type { Note } from '../../contract/notes.ts'
import {
  maxRelatedNotes,
  mostCounted,
  type NoteCount,
  type NoteCountQuery,
  type NotePage,
  type NoteQuery,
} from '../../contract/search.ts'
import { byBitmaps } from '../db/planning.ts'
import type { ReadWithin } from '../db/read-within.ts'
import type { Viewer } from '../http/viewer.ts'
import { getNote } from '../notes/notes.ts'
import { findNotesById } from '../notes/visible-notes.ts'
import { findRelated } from './related.queries.ts'
import * as queries from './search.queries.ts'

/** One page of a list. Whether there is more is learnt by asking for one note more than is shown. */
export async function listNotes(
  reads: queries.Reads,
  scope: queries.Scope,
  viewer: Viewer,
  query: NoteQuery,
): Promise<NotePage> {
  const notes = await queries.findNotes(reads, scope, viewer, query, pageSize + 1)
  return { notes: notes.slice(0, pageSize), hasMore: notes.length > pageSize }
}

const countLimitMs = 3_000

/**
 * How many notes a list has, as far as they are counted.
 * @throws busy
 */
export async function countNotes(readWithin: ReadWithin, viewer: Viewer, query: NoteCountQuery): Promise<NoteCount> {
  const count = await readWithin(countLimitMs, (tx) => queries.countNotes(tx, viewer, query, mostCounted + 1))
  return { count: Math.min(count, mostCounted), isAll: count <= mostCounted }
}

const relatedLimitMs = 3_000

/**
 * Notes like the given one.
 * @throws note_not_found, busy
 */
export function listRelatedNotes(readWithin: ReadWithin, viewer: Viewer, noteId: string): Promise<Note[]> {
  return readWithin(
    relatedLimitMs,
    async (tx) => {
      await getNote(tx, viewer, noteId)
      return findNotesById(tx, viewer, await findRelated(tx, noteId, maxRelatedNotes))
    },
    byBitmaps,
  )
}
