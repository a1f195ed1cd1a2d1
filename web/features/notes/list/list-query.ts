import { queryOptions } from '@tanstack/react-query'
import { countNotes, searchNotes } from '../../../../packages/contract/search.endpoints.ts'
import type { NoteCount } from '../../../../packages/contract/search.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { type AlternativeHits, getAlternativeSearches, type Move } from '../../search/alternative-searches.ts'
import { filtersBy } from '../../search/filters.ts'
import { type NoteSearch, toApiQuery } from '../../search/search-params.ts'
import type { ListPage } from '../cache/list-pages.ts'
import { currentMoment, listKey, type NoteScope, upsertNotes } from '../cache/note-cache.ts'
import { fetchNotePage, notePages, preloadFonts, preloadPages } from './note-pages.ts'
import { scopes } from './scopes.ts'

/** Queries one of the three lists. Load-more sends the search, its sort order and the cursor (SPEC.md section 7). */
export function listQuery(scope: NoteScope, search: NoteSearch) {
  return notePages(listKey(scope, search), async (next, signal) => {
    const page = await fetchPage(scope, search, next, signal)
    const isLittle = next === null && page.next === null
    return isLittle ? { ...page, otherHits: await findOtherHits(scope, search, page.noteIds.length, signal) } : page
  })
}

/** Returns the alternative searches that find more than the search itself. Failures are ignored. */
async function findOtherHits(scope: NoteScope, search: NoteSearch, found: number, signal: AbortSignal) {
  // The full-text search also finds the content of the fields, so it is offered only when the fields found nothing.
  const moves = getAlternativeSearches(search, found === 0)
  const hits = await Promise.all(
    moves.map(async (move): Promise<AlternativeHits | null> => {
      const hits = await countHits(scope, move, signal).catch(() => null)
      return hits && { ...move, ...hits }
    }),
  )
  return hits.filter((each) => each !== null).filter(({ count }) => count > found)
}

async function countHits(scope: NoteScope, { to, search }: Move, signal: AbortSignal): Promise<NoteCount> {
  if (to !== 'text') return api.call(countNotes, { query: countedBy(scope, search), signal })
  const { found, noteIds } = await fetchPage(scope, search, null, signal)
  return found?.found ?? { count: noteIds.length, isAll: true }
}

/** Counts all notes of a list, for lists that are longer than their first page. */
export const countQuery = (scope: NoteScope, search: NoteSearch) =>
  queryOptions({
    queryKey: ['note-count', countedBy(scope, search)],
    queryFn: ({ signal }) => api.call(countNotes, { query: countedBy(scope, search), signal }),
  })

const countedBy = (scope: NoteScope, search: NoteSearch) => ({ scope, ...filtersBy((name) => search[name]) })

/** Fetches the page after `next`, or the first one. A search with text uses the full-text endpoint. */
export async function fetchPage(
  scope: NoteScope,
  search: NoteSearch,
  next: ListPage['next'],
  signal: AbortSignal,
): Promise<ListPage> {
  const query = { ...toApiQuery(search), ...(next && { sortBy: search.sortBy, ...next }) }
  const askedAt = currentMoment()
  if (search.text !== '') {
    const { hits, next, ...results } = await api.call(searchNotes, {
      query: scope === 'all' ? query : { ...query, scope },
      signal,
    })
    const notes = hits.map(({ note }) => note)
    preloadFonts(notes)
    const inNotes = Object.fromEntries(hits.map(({ note, ...inNote }) => [note._id, inNote]))
    const found = { ...results, inNotes }
    return { noteIds: upsertNotes(notes, askedAt), next: next === null ? null : { cursor: next }, found }
  }
  return fetchNotePage(() => api.call(scopes[scope].list, { query, signal }), search.sortBy, search.isGrouped)
}

export const preloadList = (scope: NoteScope, search: NoteSearch): Promise<void> =>
  preloadPages(listQuery(scope, search))

/** Removes the cached result of a search, so that its loader requests it again from the first page. */
export function removeSearch(scope: NoteScope, search: NoteSearch): void {
  queryClient.removeQueries({ queryKey: listKey(scope, search), exact: true })
}
