import { infiniteQueryOptions } from '@tanstack/react-query'
import type { NotePage, SearchSortKey } from '../../../../packages/contract/search.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { cursorOf, foundIn, type ListData, type ListPage, noteIdsOf } from '../cache/list-pages.ts'
import { currentMoment, type listKey, upsertNotes } from '../cache/note-cache.ts'
import { preloadFonts } from './preload-fonts.ts'
import { getRestoredPageCount } from './restore-pages.ts'

/** A list of notes, page by page, as every page that has one loads it. @param fetchPage the page after `next`. */
export function notePages(
  queryKey: ReturnType<typeof listKey>,
  fetchPage: (next: ListPage['next'], signal: AbortSignal) => Promise<ListPage>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: null as ListPage['next'],
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    getNextPageParam: (last) => last.next ?? undefined,
    select: selectIds,
    // A list that failed says so and offers to try again; it does not ask by itself each time it is shown.
    enabled: (query) => query.state.status !== 'error' || query.state.data !== undefined,
    // Coming back from a note's tab must not reorder the list under the reader's hands.
    refetchOnWindowFocus: false,
  })
}

export type NotePages = ReturnType<typeof notePages>

function selectIds(data: ListData) {
  return {
    noteIds: noteIdsOf(data),
    pageCount: data.pages.length,
    hasMore: data.pages.at(-1)?.next != null,
    found: foundIn(data),
    otherHits: data.pages[0]?.otherHits ?? [],
  }
}

/** Takes over the notes of a page that comes in this order. */
export async function fetchNotePage(
  request: () => Promise<NotePage>,
  sortBy: SearchSortKey,
  isGrouped = false,
): Promise<ListPage> {
  const askedAt = currentMoment()
  const { notes, hasMore } = await request()
  preloadFonts(notes)
  const last = notes.at(-1)
  const next = hasMore && last !== undefined ? cursorOf(last, sortBy, isGrouped) : null
  return { noteIds: upsertNotes(notes, askedAt), next }
}

/**
 * For loaders: resolves once the list can be shown, be it as notes or as a failure. What is in the cache is shown at
 * once with all its pages, so that going back finds the list as far as it had been loaded; and so does a reload.
 */
export async function preparePages(list: NotePages): Promise<void> {
  const state = queryClient.getQueryState(list.queryKey)
  if (state?.data !== undefined && !state.isInvalidated) return
  if (state !== undefined) queryClient.removeQueries({ queryKey: list.queryKey, exact: true })
  await queryClient.infiniteQuery({ ...list, pages: getRestoredPageCount() }).catch(() => {
    // The page shows it: the failure stays in the cache.
  })
}
