import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'
import { trackPending } from '../../../platform/api/activity.ts'
import { ApiError } from '../../../platform/api/client.ts'
import { useSession } from '../../../platform/session/store.ts'
import { isSameSearch, type NoteSearch, normalizeSearch, serializeSearch } from '../../search/search-params.ts'
import type { NoteScope } from '../cache/note-cache.ts'
import { listQuery, removeSearch } from './list-query.ts'
import { useNotePages } from './note-pages.ts'
import { groupedByCourse } from './preferences.ts'
import { readSearchOf } from './scopes.ts'

const skeletonAfterMs = 200
const stillSearchingAfterMs = 1_000
const noIds: string[] = []

/** The state of a page of notes: the search in its address, the result, and the possible actions. */
export function useNoteList(scope: NoteScope) {
  const [params] = useSearchParams()
  const isGrouped = groupedByCourse.use()
  const search = useMemo(() => readSearchOf(scope, params, isGrouped), [scope, params, isGrouped])
  const { list, loadMore } = useNotePages(listQuery(scope, search))
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const navigation = useNavigation()
  const isLeaving = navigation.state !== 'idle' && navigation.location.pathname !== pathname
  const isSearching = list.isLoading || (navigation.state !== 'idle' && !isLeaving)
  const wanted = navigation.location ? readSearchOf(scope, new URLSearchParams(navigation.location.search)) : search
  const isSlow = useDelayed(isSearching, skeletonAfterMs)
  const isVerySlow = useDelayed(isSearching, stillSearchingAfterMs)

  // The old notes stay until a search is answered or slow, so that a fast response does not flicker.
  const [lastIds, setLastIds] = useState(noIds)
  const noteIds = list.data?.noteIds ?? (isSearching ? lastIds : noIds)
  if (noteIds !== lastIds) setLastIds(noteIds)

  /** Requests the search again, even if its result is already displayed. */
  const runSearch = useCallback(
    async (wanted: NoteSearch): Promise<void> => {
      const next = normalizeSearch({ ...wanted, isGrouped: search.isGrouped })
      removeSearch(scope, next)
      await navigate({ search: serializeSearch(next).toString() }, { replace: isSameSearch(next, search) })
    },
    [scope, search, navigate],
  )

  // All displayed notes are deleted, and the list has more.
  const isRefilling = list.data?.noteIds.length === 0 && list.data.hasMore && !list.isFetchNextPageError
  const { fetchNextPage } = list
  useEffect(() => {
    if (isRefilling) void trackPending(fetchNextPage({ cancelRefetch: false }))
  }, [isRefilling, fetchNextPage])

  const isSessionBusy = useSession((state) => state.isLoading)
  return {
    scope,
    pages: list,
    search,
    /** The search whose notes or skeletons are shown. */
    shownSearch: isSlow ? wanted : search,
    noteIds,
    hasMore: list.data?.hasMore ?? false,
    found: list.data?.found,
    otherHits: list.data?.otherHits ?? [],
    /** The first page could not be loaded: the list is empty (SPEC.md section 4). */
    hasFailed: list.isLoadingError,
    /** The server's message when it rejected the search itself. */
    refusal: refusalOf(list.error),
    /** A later page could not be loaded; the notes before it stay. */
    hasMoreFailed: list.isFetchNextPageError,
    isSearching,
    /** Whether to show skeletons instead of the old notes. */
    isWaiting: isSlow || isRefilling,
    isVerySlow,
    isLoadingMore: list.isFetchingNextPage,
    isBlocked: isSearching || isLeaving || list.isFetchingNextPage || isSessionBusy,
    runSearch,
    loadMore,
  }
}

export type NoteList = ReturnType<typeof useNoteList>

/** Returns the server's message about the search itself, or null for other failures. */
const refusalOf = (failure: unknown): string | null =>
  failure instanceof ApiError && ['invalid_input', 'search_timeout'].includes(failure.code) ? failure.message : null

/** Returns true when `isActive` has been true for `delayMs`, so that short waits are not announced. */
function useDelayed(isActive: boolean, delayMs: number): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!isActive) return
    const timer = setTimeout(() => setIsLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setIsLate(false)
    }
  }, [isActive, delayMs])
  return isActive && isLate
}
