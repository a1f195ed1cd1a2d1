import { infiniteQueryOptions } from '@tanstack/react-query'
import { searchNotes } from '../../../contract/search.endpoints.ts'
import type { NotePage, SearchSortKey } from '../../../contract/search.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { cursorOf, foundIn, type ListData, type ListPage, noteIdsOf } from '../cache/list-pages.ts'
import { keepNotes, listKey, type NoteScope } from '../cache/note-cache.ts'
import { movesOf, type OtherHits } from '../search/other-fields.ts'
import { type NoteSearch, queryOf } from '../search/search-params.ts'
import { takeKeptPages } from './kept-pages.ts'
import { loadLettersOf } from './letters.ts'
import { scopes } from './scopes.ts'

/** One list of notes, page by page. Load-more sends the search with its sort order and the cursor (SPEC.md section 7). */
export function listQuery(scope: NoteScope, search: NoteSearch) {
  return infiniteQueryOptions({
    queryKey: listKey(scope, search),
    initialPageParam: null as ListPage['next'],
    queryFn: async ({ pageParam, signal }) => {
      const page = await fetchPage(scope, search, pageParam, signal)
      const isLittle = pageParam === null && page.next === null
      return isLittle ? { ...page, otherHits: await findOtherHits(scope, search, page.noteIds.length, signal) } : page
    },
    getNextPageParam: (last) => last.next ?? undefined,
    select: selectIds,
    // A list that failed says so and offers to try again; it does not ask by itself each time it is shown.
    enabled: (query) => query.state.status !== 'error' || query.state.data !== undefined,
    // Coming back from a note's tab must not reorder the list under the reader's hands.
    refetchOnWindowFocus: false,
  })
}

function selectIds(data: ListData) {
  return {
    noteIds: noteIdsOf(data),
    pageCount: data.pages.length,
    hasMore: data.pages.at(-1)?.next != null,
    found: foundIn(data),
    otherHits: data.pages[0]?.otherHits ?? [],
  }
}

/** The moves of a search that find more than it did itself. Whatever fails on the way is nothing to be told about. */
async function findOtherHits(scope: NoteScope, search: NoteSearch, found: number, signal: AbortSignal) {
  // The one box finds what the fields find as well: it is offered where they found nothing.
  const moves = movesOf(search, scopes[scope].hasBox && found === 0)
  const hits = await Promise.all(
    moves.map(async (move): Promise<OtherHits | null> => {
      const page = await fetchPage(scope, move.search, null, signal).catch(() => null)
      return page && { ...move, count: page.noteIds.length, hasMore: page.next !== null }
    }),
  )
  return hits.filter((each) => each !== null).filter(({ count, hasMore }) => hasMore || count > found)
}

/** The page after `next`, or the first one. What stands in the one box has a call of its own. */
export async function fetchPage(
  scope: NoteScope,
  search: NoteSearch,
  next: ListPage['next'],
  signal: AbortSignal,
): Promise<ListPage> {
  const query = { ...queryOf(search), ...(next && { sortBy: search.sortBy, ...next }) }
  if (search.text !== '') {
    const { hits, next, didYouMean, leaveOut } = await api.call(searchNotes, { query, signal })
    const notes = hits.map(({ note }) => note)
    loadLettersOf(notes)
    const snippets = Object.fromEntries(hits.map((hit) => [hit.note._id, hit.snippets]))
    const found = { snippets, didYouMean, leaveOut }
    return { noteIds: keepNotes(notes), next: next === null ? null : { cursor: next }, found }
  }
  return keepPage(await api.call(scopes[scope].list, { query, signal }), search.sortBy, search.isGrouped)
}

/** Takes over the notes of a page that came in this order. */
export function keepPage({ notes, hasMore }: NotePage, sortBy: SearchSortKey, isGrouped = false): ListPage {
  loadLettersOf(notes)
  const last = notes.at(-1)
  const next = hasMore && last !== undefined ? cursorOf(last, sortBy, isGrouped) : null
  return { noteIds: keepNotes(notes), next }
}

/**
 * For loaders: resolves once the list can be shown, be it as notes or as a failure. What is in the cache is shown at
 * once with all its pages, so that going back finds the list as far as it had been loaded; and so does a reload.
 */
export async function prepareList(scope: NoteScope, search: NoteSearch): Promise<void> {
  const query = listQuery(scope, search)
  const state = queryClient.getQueryState(query.queryKey)
  if (state?.data !== undefined && !state.isInvalidated) return
  if (state !== undefined) queryClient.removeQueries({ queryKey: query.queryKey, exact: true })
  await queryClient.infiniteQuery({ ...query, pages: takeKeptPages() }).catch(() => {
    // The page shows it: the failure stays in the cache.
  })
}

/** Drops the kept answer to a search, so that its loader asks the server again, from the first page on. */
export function forgetSearch(scope: NoteScope, search: NoteSearch): void {
  queryClient.removeQueries({ queryKey: listKey(scope, search), exact: true })
}
