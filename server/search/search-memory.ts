import type { Note } from '../../contract/notes.ts'
import type { NoteQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import type { Reads } from '../db/read-within.ts'
import type { Viewer } from '../viewer.ts'
import { readNoteMark } from './note-marks.queries.ts'
import { findNotes, findNotesAgain } from './search.queries.ts'

/** Those asked for last. The ids of a page take 1 to 2 kB. */
const maxRemembered = 1_000

/** `mark`: of the notes, before the search. */
type Found = { noteIds: string[]; mark: string }

/**
 * Searches of all notes by date, which find the same for everybody. What one found is remembered by its ids, until a note
 * comes that it might find, or goes; the statement that reads the notes again sees to that, so that no answer is older than
 * its request. Nothing found is not remembered.
 * @param db the primary. What it shows, a replica shows from then on as well, while one may show what the primary does not yet.
 * @param limit of notes found.
 */
export function createSearchMemory(
  { db, ...reads }: Reads & { db: Db },
  limit: number,
  size = maxRemembered,
): (viewer: Viewer, query: NoteQuery) => Promise<Note[]> {
  const remembered = new Map<string, Found>()

  function remember(key: string, found: Found): void {
    // In the order in which they were asked for.
    remembered.delete(key)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= size) remembered.delete(oldest)
    remembered.set(key, found)
  }

  async function findAgain(viewer: Viewer, key: string): Promise<Note[] | null> {
    const found = remembered.get(key)
    if (!found) return null
    const notes = await reads.read((on) => findNotesAgain(on, viewer, found.noteIds, found.mark))
    if (notes) remember(key, found)
    else remembered.delete(key)
    return notes
  }

  return async (viewer, query) => {
    // Each like moves notes in the order of likes.
    if (query.sortBy === 'likes') return findNotes(reads, 'all', viewer, query, limit)
    const key = JSON.stringify(query)
    const again = await findAgain(viewer, key)
    if (again) return again
    // Before the search: what it finds may be newer than its mark, and never older.
    const mark = await readNoteMark(db)
    const notes = await findNotes(reads, 'all', viewer, query, limit)
    if (notes.length > 0) remember(key, { noteIds: notes.map(({ _id }) => _id), mark })
    return notes
  }
}
