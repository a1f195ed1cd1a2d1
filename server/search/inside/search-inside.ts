import { setImmediate } from 'node:timers/promises'
import { messages } from '../../../contract/fields.ts'
import type { SearchHit, SearchPage, SearchQuery, Snippet } from '../../../contract/search.ts'
import { byBitmaps } from '../../db/planning.ts'
import type { Db } from '../../db/pool.ts'
import type { ReadTime, ReadWithin } from '../../db/read-within.ts'
import { fail } from '../../failure.ts'
import type { Viewer } from '../../http/viewer.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { findCorrections } from './corrections.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { makeHints } from './hints.ts'
import { type Found, findMatches, isFrequent, type Passage, type Search, walkMatches } from './inside.queries.ts'
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
  const read = async (db: Db, time: ReadTime) => {
    const { found, isForgiving } = await findHits(db, time, { terms, corrections: new Map(), filters: query }, cursor)
    const shown = found.slice(0, hitsOnPage)
    const last = shown.at(-1)
    const hits = await makeHits(db, viewer, shown, terms)
    const hints = last || cursor ? { didYouMean: null, leaveOut: [] } : await makeHints(db, time, query, terms)
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
  db: Db,
  time: ReadTime,
  search: Search,
  cursor: Cursor | null,
): Promise<{ found: Found[]; isForgiving: boolean }> {
  const limit = hitsOnPage + 1
  if (!cursor?.isForgiving) {
    const found = (await walk(db, time, search, cursor, limit)) ?? (await findMatches(db, search, cursor, limit))
    if (cursor || found.length === limit) return { found, isForgiving: false }
    const corrections = await findCorrections(db, search.terms)
    if (corrections.size === 0) return { found, isForgiving: false }
    await time.limitToRest()
    return { found: await findMatches(db, { ...search, corrections }, null, limit), isForgiving: true }
  }
  const corrections = await findCorrections(db, search.terms)
  await time.limitToRest()
  return { found: await findMatches(db, { ...search, corrections }, cursor, limit), isForgiving: true }
}

/** What many notes have is soon found by walking in the order asked for. Null where it is not. */
async function walk(db: Db, time: ReadTime, search: Search, cursor: Cursor | null, limit: number) {
  if (search.filters.sortBy === 'relevance' || !(await isFrequent(db, search))) return null
  const found = await walkMatches(db, search, cursor, limit)
  if (found.length === limit) return found
  await time.limitToRest()
  return null
}

/** Notes and passages as they are now: one that was deleted meanwhile is left out. */
async function makeHits(db: Db, viewer: Viewer, found: Found[], terms: Term[]): Promise<SearchHit[]> {
  if (found.length === 0) return []
  const notes = new Map(
    (
      await findNotesById(
        db,
        viewer,
        found.map(({ id }) => id),
      )
    ).map((note) => [note._id, note]),
  )
  const finder = makeFinder(terms)
  const hits: SearchHit[] = []
  for (const { id, passages } of found) {
    const note = notes.get(id)
    if (note) hits.push({ note, snippets: await makeSnippets(passages, finder) })
  }
  return hits
}

async function makeSnippets(passages: Passage[], finder: RegExp): Promise<Snippet[]> {
  const snippets: Snippet[] = []
  for (const passage of passages) {
    // A passage is a page, which may be long: others get their turn in between.
    await setImmediate()
    const snippet = makeSnippet(passage, finder)
    if (snippet) snippets.push(snippet)
  }
  return snippets
}
