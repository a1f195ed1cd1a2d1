import { setImmediate } from 'node:timers/promises'
import { messages } from '../../../contract/fields.ts'
import type { SearchHit, SearchPage, SearchQuery, Snippet } from '../../../contract/search.ts'
import { createFairQueue } from '../../db/fair-queue.ts'
import { byBitmaps, byBitmapsForAll } from '../../db/planning.ts'
import type { Db } from '../../db/pool.ts'
import { type Reads, type ReadTime, readLimitMs } from '../../db/read-within.ts'
import type { Viewer } from '../../db/viewer.ts'
import { fail } from '../../http/failure.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { findCorrections } from './corrections.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { makeHints } from './hints.ts'
import {
  type Found,
  findAhead,
  findMatches,
  isFrequent,
  isUsual,
  type Passage,
  type Search,
  walkMatches,
} from './inside.queries.ts'
import { isPhrase } from './phrases.queries.ts'
import { makeFinder, makeSnippet } from './snippets.ts'
import { readTerms } from './terms.ts'

/** Hits on a page: each is taller than a card. */
const hitsOnPage = 12

/** @throws invalid_input, busy */
export async function searchInside(
  { read, readWithin }: Reads,
  viewer: Viewer,
  query: SearchQuery,
): Promise<SearchPage> {
  const terms = readTerms(query.text)
  if (terms.length === 0) fail('invalid_input', { fields: { text: messages.emptySearch } })
  const cursor = readCursor(query.cursor)
  const search: Search = { terms, corrections: new Map(), filters: query }
  const find = async (db: Db, time: ReadTime) => {
    const { found, isForgiving } = await findHits(db, time, search, cursor)
    const shown = found.slice(0, hitsOnPage)
    const last = shown.at(-1)
    const hints = last || cursor ? { didYouMean: null, leaveOut: [] } : await makeHints(db, time, query, terms)
    const next = last && found.length > shown.length ? writeCursor(cursorAt(last, isForgiving)) : null
    return { passages: new Map(shown.map((hit) => [hit.id, hit.passages])), time, page: { next, ...hints } }
  }
  const planning = isUsual(search) ? byBitmapsForAll : byBitmaps
  const { passages, time, page } = await readWithin(viewer, readLimitMs, find, planning)
  // As they are now, one that was deleted meanwhile left out. Others search while these are prepared to be answered.
  const found = [...passages.keys()]
  const notes = found.length > 0 ? await read((db) => findNotesById(db, viewer, found)) : []
  const finder = makeFinder(terms)
  const hasTime = () => time.spentMs() < readLimitMs
  const hits: SearchHit[] = []
  for (const note of notes) {
    hits.push({ note, snippets: await cutPassages(viewer, passages.get(note._id) ?? [], finder, hasTime) })
  }
  return { hits, ...page }
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
    const found = (await findNext(db, time, search, cursor, limit)) ?? (await findMatches(db, search, cursor, limit))
    if (cursor || found.length === limit) return { found, isForgiving: false }
    const corrections = await findCorrections(db, search.terms)
    if (corrections.size === 0) return { found, isForgiving: false }
    await time.limitToRest()
    const ids = found.map(({ id }) => id)
    return { found: await findMatches(db, { ...search, corrections }, null, limit, ids), isForgiving: true }
  }
  const corrections = await findCorrections(db, search.terms)
  await time.limitToRest()
  return { found: await findMatches(db, { ...search, corrections }, cursor, limit), isForgiving: true }
}

/** What many notes have is soon found among the next in the order asked for. Null where these do not fill a page. */
async function findNext(db: Db, time: ReadTime, search: Search, cursor: Cursor | null, limit: number) {
  if (search.filters.sortBy === 'relevance' || !(await isFrequent(db, search))) return null
  // A phrase is looked for on pages, and the index of words does not bound how many are read.
  const ways = search.terms.some(isPhrase) ? [walkMatches] : [walkMatches, findAhead]
  for (const find of ways) {
    const found = await find(db, search, cursor, limit)
    if (found.length === limit) return found
    await time.limitToRest()
  }
  return null
}

const snippetQueue = createFairQueue({ concurrency: 1, maxWaiting: 1_000, maxWaitingPerAccount: 16 })

/**
 * Cuts passages while there is time for it, when no connection waits any more. A passage is a page, which may be long: each
 * is cut in a round of the event loop of its own, in which students take turns.
 * @throws busy
 */
export async function cutPassages(
  viewer: Viewer,
  passages: Passage[],
  finder: RegExp,
  hasTime: () => boolean,
): Promise<Snippet[]> {
  const snippets: Snippet[] = []
  for (const passage of passages) {
    const snippet = await snippetQueue.run(viewer.id, async () => {
      await setImmediate()
      return hasTime() ? makeSnippet(passage, finder) : null
    })
    if (snippet) snippets.push(snippet)
  }
  return snippets
}
