import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { NotePage, SearchSortKey } from '../../../../packages/contract/search.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { showErrorToast } from '../../../platform/session/show-error-toast.ts'
import { cursorOf, foundIn, type ListData, type ListPage, noteIdsOf } from '../cache/list-pages.ts'
import { currentMoment, type listKey, upsertNotes } from '../cache/note-cache.ts'

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
    // A refresh in the background is given up for it; the list stays outdated until its next visit.
    const result = await list.fetchNextPage()
    if (!result.isFetchNextPageError) return
    showErrorToast(result.error, 'Failed to load more notes. Please try again later.')
  }

  return { list, loadMore }
}

/**
 * Starts to load the fonts for letters outside Western European languages that these notes contain, while their cards
 * render. A font that arrives later makes the browser lay out the whole page a second time.
 */
export function preloadFonts(notes: Note[]): void {
  load('Brygada 1918', notes.flatMap(({ title, courseCode }) => [title, courseCode]).join(''))
  load('Figtree', notes.flatMap(({ courseCode, instructor, user }) => [courseCode, instructor, user?.name]).join(''))
}

function load(family: string, text: string): void {
  document.fonts.load(`1rem "${family}"`, text).catch(() => {
    // The text is shown in the available fonts.
  })
}

/** Restored pages are requested one after another before the list is shown, so their number is limited. */
const mostPages = 10

type Entry = { key?: string; pages?: number } | null
const entry = () => history.state as Entry

/** The history entry at which this document started, and its page count. Later entries use the query cache. */
const start = entry()
let atStart = start?.pages ?? 1

/** Returns how many pages of a list to load: after a reload, as many as before. */
function getRestoredPageCount(): number {
  // If the user was logged out, the list was not shown, and the stored count must not apply to another list.
  const pages = entry()?.key === start?.key ? Math.min(mostPages, atStart) : 1
  atStart = 1
  return pages
}

/** Stores in the history entry how many pages are loaded, unless the current entry is already another one. */
function savePageCount(key: string, pages: number): void {
  const { key: current, pages: before = 1, ...rest } = entry() ?? {}
  if (current === key && before !== pages) history.replaceState({ ...rest, key, pages }, '')
}
