import { setImmediate } from 'node:timers/promises'
import { messages } from '../../../packages/contract/fields.ts'
import type { NoteCount, SearchHit, SearchPage, SearchQuery, Snippet } from '../../../packages/contract/search.ts'
import { removeTerm } from '../../../packages/contract/search-text.ts'
import { queryCanceled } from '../../platform/db/database-unavailable.ts'
import { createFairQueue } from '../../platform/db/fair-queue.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { QueryDeadline, QueryRunner } from '../../platform/db/query-with-timeout.ts'
import { bitmapScanSettings } from '../../platform/db/set-local.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { ApiError, fail } from '../../platform/http/api-error.ts'
import { hasCode } from '../../platform/observability/log.ts'
import { afterCursor, findNotesById } from '../notes/visible-notes.ts'
import * as queries from './candidates.queries.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { expand } from './expand.ts'
import { filterKeys, keyCondition } from './filters.ts'
import { askFor, type Query, readQuery } from './query.ts'
import { type Candidate, partialSets, rank, type Scored, type Weighed, weigh } from './ranking.ts'
import { findIdsOf } from './search.queries.ts'
import { createMatchRegExp, createSnippet } from './snippets.ts'

/** Hits per page, fewer than in lists because each is taller than a card. */
const hitsPerPage = 12
/** Maximum number of notes listed by relevance. */
const maxRanked = 60
/** Time limit for the whole search. */
const timeoutMs = 2_000

/** The hits after the cursor, in their order, and how many there are from the first on. */
type Found = { hits: Scored[]; terms: Weighed[]; count: NoteCount }

/** @throws invalid_input, search_timeout, busy */
export async function searchNotes(
  { read, queryWithTimeout }: QueryRunner,
  viewer: Viewer,
  query: SearchQuery,
): Promise<SearchPage> {
  const asked = readQuery(query.text)
  const isNarrowed = asked.excluded.length + asked.inBothRows.length + asked.inShortRow.length > 0
  if (asked.words.length === 0 && !isNarrowed) fail('invalid_input', { fields: { text: messages.emptySearch } })
  const cursor = readCursor(query.cursor)
  const { shown, next, count, passagesOf, words, terms, time } = await queryWithTimeout(
    viewer,
    timeoutMs,
    async (db, time) => {
      const { hits, terms, count } = await find(db, time, viewer, asked, query, cursor)
      const shown = hits.slice(0, hitsPerPage)
      const last = shown.at(-1)
      const next = last && hits.length > shown.length ? writeCursor(last) : null
      await time.applyRemainingTime()
      const words = highlighted(terms, asked.phrases)
      const passagesOf = await queries.findPassages(db, idsOf(shown), words, asked.phrases)
      return { shown, next, count, passagesOf, words, terms, time }
    },
    bitmapScanSettings,
  ).catch((error) => {
    if (error instanceof ApiError && hasCode(error.cause, queryCanceled)) fail('search_timeout', { cause: error })
    throw error
  })
  // Read outside the queue, so that other searches can run. Notes that were deleted in the meantime are left out.
  const notes = shown.length === 0 ? [] : await read((db) => findNotesById(db, viewer, idsOf(shown)))
  const finder = createMatchRegExp(words, asked.phrases)
  const page: SearchHit[] = []
  for (const note of notes) {
    const hit = shown.find(({ id }) => id === note._id)
    // A note that has become anonymous in the meantime may have been found by the name of its author.
    if (!hit || note.hidden || note.isAnonymous !== hit.isAnonymous) continue
    const { passages = [], matchingPages = 0 } = passagesOf.get(note._id) ?? {}
    const snippets = await createSnippets(viewer, passages, finder, () => time.elapsedMs() < timeoutMs)
    page.push({ note, snippets, matchingPages, missing: hit.missing })
  }
  return {
    hits: page,
    next,
    found: cursor === null ? count : null,
    corrected: page.length > 0 ? correctedText(query.text, terms) : null,
    shortened: page.length === 0 && cursor === null ? withoutUnknown(query.text, terms) : null,
    unsearched: asked.unsearched,
  }
}

const idsOf = (notes: Scored[]) => notes.map(({ id }) => id)

async function find(
  db: Db,
  time: QueryDeadline,
  viewer: Viewer,
  asked: Query,
  query: SearchQuery,
  cursor: Cursor | null,
): Promise<Found> {
  const narrowing = await narrow(db, viewer, asked, query)
  if (narrowing === null) return { hits: [], terms: [], count: toCount(0) }
  const { terms: expanded, total } = await expand(db, asked.words, query.exact !== 'true')
  // A sign such as ∮ is left out if no note has it and the query has other words.
  const others = expanded.filter(({ word, isKnown }) => isKnown || /[\p{L}\p{N}]/u.test(word))
  for (const { word } of expanded.filter((term) => !others.includes(term) && others.length > 0))
    asked.unsearched.push(word)
  const searched = others.length > 0 ? others : expanded
  // As in `readQuery`: if only optional words are left without the sign, they are required.
  if (searched.every(({ isOptional }) => isOptional)) for (const term of searched) term.isOptional = false
  const terms = weigh(searched, total)
  const required = terms.filter(({ isRequired }) => isRequired)
  await time.applyRemainingTime()
  const hasPhrases = asked.phrases.length > 0
  const withAllWords = (hasPhrases ? queries.withPhrases : queries.withAllWords)(required, narrowing)
  if (query.sortBy !== 'relevance' || terms.length === 0) {
    const sortBy = query.sortBy === 'likes' ? 'likes' : 'createdAt'
    // Without words, all that are counted are read, because no index counts them.
    const limit = terms.length === 0 && cursor === null ? maxRanked + 1 : hitsPerPage + 1
    const hits = await findInOrder(db, required, narrowing, sortBy, cursor, limit)
    await time.applyRemainingTime()
    const isCounted = terms.length > 0 && cursor === null && hits.length > hitsPerPage
    const counted = isCounted ? await queries.countNotes(db, withAllWords, maxRanked + 1) : 0
    const isSearchedToEnd = terms.length > 0 || queries.isNarrow(narrowing) || total <= queries.scannedWithoutWords
    return { hits, terms, count: toCount(Math.max(hits.length, counted), isSearchedToEnd) }
  }
  const list = (notes: Scored[]): Found => {
    const listed = notes.slice(0, maxRanked)
    return { hits: cursor ? listed.slice(indexAfter(listed, cursor)) : listed, terms, count: toCount(notes.length) }
  }
  if (asked.phrases.length === 0 && asked.words.every(({ isStop }) => isStop)) {
    const words = terms.map(({ word }) => word)
    const notes = await queries.readCandidates(db, queries.withStopWordTitle(words, narrowing), terms, true)
    if (notes.length > 0) return list(rank(notes, terms, false))
  }
  const full = await queries.readCandidates(db, withAllWords, terms, true)
  await time.applyRemainingTime()
  const known = required.filter(({ isKnown }) => isKnown)
  const further: Candidate[] = []
  if (!hasPhrases && full.length >= queries.maxFromShortRow) {
    further.push(...(await queries.readCandidates(db, queries.newestAndMostLiked(required, narrowing), terms, true)))
  } else if (!hasPhrases && full.length < queries.minFull && known.length > 0) {
    const withSomeWords = queries.withSomeWords(partialSets(terms, asked.isQuestion), known, narrowing)
    further.push(...(await queries.readCandidates(db, withSomeWords, terms, false)))
  }
  await time.applyRemainingTime()
  const notes = new Map([...further, ...full].map((note) => [note.id, note]))
  return list(rank([...notes.values()], terms, asked.isQuestion))
}

const toCount = (count: number, isSearchedToEnd = true): NoteCount => ({
  count: Math.min(count, maxRanked),
  isAll: isSearchedToEnd && count <= maxRanked,
})

const byDate = (a: Candidate, b: Candidate) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
const byLikes = (a: Candidate, b: Candidate) => b.likes - a.likes || (a.id < b.id ? 1 : -1)
/** Returns the index of the first hit after the cursor. */
function indexAfter(hits: Scored[], last: Cursor): number {
  const at = hits.findIndex(({ id }) => id === last.id)
  if (at >= 0) return at + 1
  const isPartial = ({ missing }: Scored) => missing.length > 0
  const isBehind = (hit: Scored) => (isPartial(hit) === last.isPartial ? hit.score < last.score : isPartial(hit))
  const next = hits.findIndex(isBehind)
  return next === -1 ? hits.length : next
}

async function findInOrder(
  db: Db,
  terms: Weighed[],
  narrowing: queries.Narrowing,
  sortBy: 'createdAt' | 'likes',
  cursor: Cursor | null,
  limit: number,
): Promise<Scored[]> {
  const cursorValue = cursor && (sortBy === 'likes' ? String(cursor.likes) : cursor.createdAt)
  const after = cursor ? afterCursor({ sortBy, cursorId: cursor.id, cursorValue: cursorValue ?? '' }) : []
  const notes = await queries.findInOrder(db, terms, narrowing, { sortBy, after, limit })
  return notes.sort(sortBy === 'likes' ? byLikes : byDate).map((note) => ({ ...note, score: 0, missing: [] }))
}

/**
 * Returns the restrictions of a search; null if it excludes its own words or a filter has no word, so nothing matches.
 */
async function narrow(db: Db, viewer: Viewer, asked: Query, query: SearchQuery): Promise<queries.Narrowing | null> {
  const filter = filterKeys(query)
  if (filter === null) return null
  const excluded: queries.Narrowing['excluded'] = []
  for (const { words, isPhrase } of asked.excluded) {
    const asWords = words.map((word) => ({ ...askFor(word), isExact: isPhrase }))
    const { terms } = await expand(db, asWords, false)
    const forms = terms.map((term) => [
      ...new Set([term.word, ...term.forms.filter(({ factor }) => factor >= 0.9).map(({ form }) => form)]),
    ])
    if (
      !isPhrase &&
      asked.words.some(({ word, isOptional }) => !isOptional && forms.length === 1 && forms[0]?.includes(word))
    )
      return null
    excluded.push({ forms, phrase: isPhrase ? words.join(' ') : null })
  }
  return {
    inBothRows: [...asked.inBothRows, ...filter.filter(({ isInText }) => isInText).map(keyCondition)],
    inShortRow: asked.inShortRow,
    filter,
    phrases: asked.phrases,
    excluded,
    ids: await findIdsOf(db, query.scope, viewer),
  }
}

/** Returns the forms of each highlighted word, without optional words and words that occur only in a phrase. */
function highlighted(terms: Weighed[], phrases: string[][]): string[][] {
  const inPhrase = new Set(phrases.flat())
  return terms
    .filter(({ isOptional, places, word }) => !isOptional && (places.length > 0 || !inPhrase.has(word)))
    .map(({ forms }) => forms.map(({ form }) => form))
}

/** Returns the query with its words corrected; null when no word was corrected. */
function correctedText(text: string, terms: Weighed[]): string | null {
  const corrected = terms
    .flatMap(({ correction, places }) => (correction === null ? [] : places.map((place) => ({ ...place, correction }))))
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { correction, start, end }) => now.slice(0, start) + correction + now.slice(end), text)
  return corrected === text ? null : corrected
}

/** Returns the query without the required words that no note has as typed; null if all of them or none are such. */
function withoutUnknown(text: string, terms: Weighed[]): string | null {
  const isKnownAsTyped = ({ isKnown, correction }: Weighed) => isKnown && correction === null
  const required = terms.filter(({ isRequired }) => isRequired)
  const unknown = required.filter((term) => !isKnownAsTyped(term)).flatMap(({ places }) => places)
  if (unknown.length === 0 || !required.some(isKnownAsTyped)) return null
  return unknown.toSorted((a, b) => b.start - a.start).reduce((now, place) => removeTerm(now, place), text)
}

const snippetQueue = createFairQueue({ concurrency: 1, maxWaiting: 1_000, maxWaitingPerAccount: 16 })

/**
 * Cuts snippets while there is time, after the database connection was released. A passage is a page and may be long,
 * so each is cut in its own event-loop iteration, and users are served in turn.
 * @throws busy
 */
export async function createSnippets(
  viewer: Viewer,
  passages: queries.Passage[],
  finder: RegExp,
  hasTime: () => boolean,
): Promise<Snippet[]> {
  const snippets: Snippet[] = []
  for (const passage of passages) {
    const snippet = await snippetQueue.run(viewer.id, async () => {
      await setImmediate()
      return hasTime() ? createSnippet(passage, finder) : null
    })
    if (snippet) snippets.push(snippet)
  }
  return snippets
}
