import { pageSize } from '../../../packages/contract/limits.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import {
  maxRelatedNotes,
  mostCounted,
  type NoteCount,
  type NoteCountQuery,
  type NotePage,
  type NoteQuery,
} from '../../../packages/contract/search.ts'
import { type QueryRunner, type QueryWithTimeout, queryTimeoutMs } from '../../platform/db/query-with-timeout.ts'
import { bitmapScanSettings } from '../../platform/db/set-local.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { getNote } from '../notes/notes.ts'
import { findNotesById } from '../notes/visible-notes.ts'
import { findRelated } from './related.queries.ts'
import * as queries from './search.queries.ts'

/** Returns one page of a list. One more note than is shown is read, to detect whether there are more. */
export async function listNotes(
  reads: QueryRunner,
  scope: queries.Scope,
  viewer: Viewer,
  query: NoteQuery,
): Promise<NotePage> {
  const notes = await queries.findNotes(reads, scope, viewer, query, pageSize + 1)
  return { notes: notes.slice(0, pageSize), hasMore: notes.length > pageSize }
}

/**
 * Counts the notes of a list, up to a limit.
 * @throws busy
 */
export async function countNotes(
  queryWithTimeout: QueryWithTimeout,
  viewer: Viewer,
  query: NoteCountQuery,
): Promise<NoteCount> {
  const read = (tx: Parameters<typeof queries.countNotes>[0]) => queries.countNotes(tx, viewer, query, mostCounted + 1)
  const count = await queryWithTimeout(viewer, queryTimeoutMs, read, bitmapScanSettings)
  return { count: Math.min(count, mostCounted), isAll: count <= mostCounted }
}

/**
 * Returns notes that are similar to the given one.
 * @throws note_not_found, busy
 */
export function listRelatedNotes(queryWithTimeout: QueryWithTimeout, viewer: Viewer, noteId: string): Promise<Note[]> {
  return queryWithTimeout(
    viewer,
    queryTimeoutMs,
    async (db) => {
      await getNote(db, viewer, noteId)
      return findNotesById(db, viewer, await findRelated(db, noteId, maxRelatedNotes))
    },
    bitmapScanSettings,
  )
}
