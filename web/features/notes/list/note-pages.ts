import { hashKey, infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { NotePage, SearchSortKey } from '../../../../packages/contract/search.ts'
import { trackPending } from '../../../platform/api/activity.ts'
import { queryClient, refreshDisplayed } from '../../../platform/api/query-client.ts'
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
 * all its pages. A reload, and a return to a list that is no longer cached, restore as many pages as before.
 */
export async function preloadPages(list: NotePages): Promise<void> {
  const { queryKey } = list
  const state = queryClient.getQueryState(queryKey)
  if (state?.data !== undefined && !state.isInvalidated) {
    // A click on the link of the displayed list asks for what is new.
    void refreshDisplayed(queryKey)
    return
  }
  if (state !== undefined) queryClient.removeQueries({ queryKey, exact: true })
  await queryClient.infiniteQuery({ ...list, pages: getRestoredPageCount(queryKey) }).catch(() => {
    // The failure stays in the query cache, and the page shows it.
  })
}

/** Returns a displayed list and its load-more function. The number of loaded pages is stored in the history entry. */
export function useNotePages(pages: NotePages) {
  const list = useInfiniteQuery(pages)
  const { key } = useLocation()
  const pageCount = list.data?.pageCount
  const listHash = hashKey(pages.queryKey)
  useEffect(() => {
    displayedEntry = key
    return () => {
      displayedEntry = undefined
    }
  }, [key])
  useEffect(() => {
    if (pageCount !== undefined) savePageCount(key, { pages: pageCount, listHash })
  }, [key, pageCount, listHash])

  async function loadMore(): Promise<void> {
    // A refresh in the background is given up for it; the list stays outdated until its next visit.
    const result = await trackPending(list.fetchNextPage())
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

/** What a history entry stores beside the router's own fields. */
type LoadedPages = { pages: number; listHash: string }
/** An entry of a link within the page, such as `#main`, has no state. */
const entry = (): Partial<LoadedPages> & { key?: string } => history.state ?? {}
/** The key of the entry whose list is displayed. `history.state` belongs to it while the loader of a new entry runs. */
let displayedEntry: string | undefined

/** Returns how many pages of a list to load: as many as its history entry had; one for a new entry. */
function getRestoredPageCount(queryKey: NotePages['queryKey']): number {
  const { key, pages = 1, listHash } = entry()
  return key !== displayedEntry && listHash === hashKey(queryKey) ? Math.min(mostPages, pages) : 1
}

/** Stores in the history entry how many pages are loaded, unless the current entry is already another one. */
function savePageCount(key: string, { pages, listHash }: LoadedPages): void {
  const before = entry()
  const isSaved = before.pages === pages && before.listHash === listHash
  if (before.key === key && !isSaved) history.replaceState({ ...before, pages, listHash }, '')
}
