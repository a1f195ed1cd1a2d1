import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { NotePage, SearchSortKey } from '../../../../packages/contract/search.ts'
import { getErrorMessage } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { showErrorToast } from '../../../platform/session/show-error-toast.ts'
import { cursorOf, foundIn, type ListData, type ListPage, noteIdsOf } from '../cache/list-pages.ts'
import { currentMoment, type listKey, upsertNotes } from '../cache/note-cache.ts'
import { preloadFonts } from './preload-fonts.ts'
import { getRestoredPageCount, savePageCount } from './restore-pages.ts'

/** The query of every paged list of notes. @param fetchPage fetches the page after `next`. */
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
    // A failed list shows a retry button; it does not load again each time it is mounted.
    enabled: (query) => query.state.status !== 'error' || query.state.data !== undefined,
    // Returning from a note's tab must not reorder the list while the user reads it.
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
 * For loaders: resolves when the list can be shown, as notes or as a failure. A cached list is shown immediately with
 * all its pages, and a reload restores as many pages as before.
 */
export async function preloadPages(list: NotePages): Promise<void> {
  const state = queryClient.getQueryState(list.queryKey)
  if (state?.data !== undefined && !state.isInvalidated) return
  if (state !== undefined) queryClient.removeQueries({ queryKey: list.queryKey, exact: true })
  await queryClient.infiniteQuery({ ...list, pages: getRestoredPageCount() }).catch(() => {
    // The failure stays in the query cache, and the page shows it.
  })
}

/** Returns a displayed list and its load-more function. The number of loaded pages is stored in the history entry. */
export function useNotePages(pages: NotePages) {
  const list = useInfiniteQuery(pages)
  const { key } = useLocation()
  const pageCount = list.data?.pageCount
  useEffect(() => {
    if (pageCount !== undefined) savePageCount(key, pageCount)
  }, [key, pageCount])

  async function loadMore(): Promise<void> {
    const result = await list.fetchNextPage({ cancelRefetch: false })
    if (!result.isFetchNextPageError) return
    showErrorToast(result.error, getErrorMessage(result.error, 'Failed to load more notes. Please try again later.'))
  }

  return { list, loadMore }
}
