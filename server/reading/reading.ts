import type { ReadingPosition } from '../../contract/reading.ts'
import type { Db } from '../db/pool.ts'
import { fail } from '../failure.ts'
import type { Viewer } from '../http/viewer.ts'
import * as queries from './reading.queries.ts'

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
