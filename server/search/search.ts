import { pageSize } from '../../contract/limits.ts'
import type { NotePage, NoteQuery } from '../../contract/search.ts'
import type { Viewer } from '../http/viewer.ts'
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
