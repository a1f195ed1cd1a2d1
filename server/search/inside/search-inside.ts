import { setImmediate } from 'node:timers/promises'
import { messages } from '../../../contract/fields.ts'
import {
  maxSnippets,
  type SearchHit,
  type SearchPage,
  type SearchQuery,
  type Snippet,
} from '../../../contract/search.ts'
import { byBitmaps, byLookups } from '../../db/planning.ts'
import type { Tx } from '../../db/pool.ts'
import type { ReadTime, ReadWithin } from '../../db/read-within.ts'
import { fail } from '../../failure.ts'
import type { Viewer } from '../../http/viewer.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { findCorrections } from './corrections.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { makeHints } from './hints.ts'
import { type Found, findMatches, findPages, isFrequent, type Search, walkMatches } from './inside.queries.ts'
import { makeFinder, makeSnippet } from './snippets.ts'
import { readTerms, type Term } from './terms.ts'

/** Hits on a page: each is taller than a card. */
export const hitsOnPage = 12
const searchLimitMs = 3_000

/** @throws invalid_input, busy */
export function searchInside(readWithin: ReadWithin, viewer: Viewer, query: SearchQuery): Promise<SearchPage> {
  const terms = readTerms(query.text)
  if (terms.length === 0) fail('invalid_input', { fields: { text: messages.emptySearch } })
  const cursor = readCursor(query.cursor)
  const read = async (tx: Tx, time: ReadTime) => {
    const { found, isForgiving } = await findHits(tx, time, { terms, corrections: new Map(), filters: query }, cursor)
    const shown = found.slice(0, hitsOnPage)
    const last = shown.at(-1)
    const hits = await makeHits(tx, time, viewer, shown, terms)
    const hints = last || cursor ? { didYouMean: null, leaveOut: [] } : await makeHints(tx, time, query, terms)
    return {
      hits,
      next: last && found.length > shown.length ? writeCursor(cursorAt(last, isForgiving)) : null,
      ...hints,
    }
  }
  return readWithin(searchLimitMs, read, byBitmaps)
}

const cursorAt = ({ id, createdAt, likes, score }: Found, isForgiving: boolean): Cursor => ({
  id,
  createdAt: createdAt.toISOString(),
  likes,
  score,
  isForgiving,
})

/** Typing errors are forgiven where the words as they were typed do not fill a page. */
async function findHits(
  tx: Tx,
  time: ReadTime,
  search: Search,
  cursor: Cursor | null,
): Promise<{ found: Found[]; isForgiving: boolean }> {
  const limit = hitsOnPage + 1
  if (!cursor?.isForgiving) {
    const found = (await walk(tx, time, search, cursor, limit)) ?? (await findMatches(tx, search, cursor, limit))
    if (cursor || found.length === limit) return { found, isForgiving: false }
    const corrections = await findCorrections(tx, search.terms)
    if (corrections.size === 0) return { found, isForgiving: false }
    await time.limitToRest()
    return { found: await findMatches(tx, { ...search, corrections }, null, limit), isForgiving: true }
  }
  const corrections = await findCorrections(tx, search.terms)
  await time.limitToRest()
  return { found: await findMatches(tx, { ...search, corrections }, cursor, limit), isForgiving: true }
}

/** What many notes have is soon found by walking in the order asked for. Null where it is not. */
async function walk(tx: Tx, time: ReadTime, search: Search, cursor: Cursor | null, limit: number) {
  if (search.filters.sortBy === 'relevance' || !(await isFrequent(tx, search))) return null
  await time.limitToRest(byLookups)
  const found = await walkMatches(tx, search, cursor, limit)
  if (found.length === limit) return found
  await time.limitToRest(byBitmaps)
  return null
}

/** Notes and passages as they are now: one that was deleted meanwhile is left out. */
async function makeHits(tx: Tx, time: ReadTime, viewer: Viewer, found: Found[], terms: Term[]): Promise<SearchHit[]> {
  if (found.length === 0) return []
  await time.limitToRest(byLookups)
  const ids = found.map(({ id }) => id)
  const notes = await findNotesById(tx, viewer, ids)
  const finder = makeFinder(terms)
  const snippets = new Map<string, Snippet[]>()
  for (const passage of await findPages(tx, ids, terms, maxSnippets)) {
    // A passage is a page, which may be long: others get their turn in between.
    await setImmediate()
    const snippet = makeSnippet(passage, finder)
    if (snippet) snippets.set(passage.noteId, [...(snippets.get(passage.noteId) ?? []), snippet])
  }
  return notes.map((note) => ({ note, snippets: snippets.get(note._id) ?? [] }))
}
