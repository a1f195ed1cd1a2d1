import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { type Cursor, cursorOf, type ListData, type ListPage, noteIdsOf } from '../cache/list-pages.ts'
import { keepNotes, listKey, type NoteScope } from '../cache/note-cache.ts'
import { type NoteSearch, writeSearch } from '../search/search-params.ts'
import { loadLettersOf } from './letters.ts'
import { scopes } from './scopes.ts'

/** One list of notes, page by page. Load-more sends the search with its sort order and the cursor (SPEC.md section 7). */
export function listQuery(scope: NoteScope, search: NoteSearch) {
  return infiniteQueryOptions({
    queryKey: listKey(scope, search),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...Object.fromEntries(writeSearch(search)),
        ...(pageParam && { sortBy: search.sortBy, ...pageParam }),
      }
      const page = await api.call(scopes[scope].list, { query, signal })
      loadLettersOf(page.notes)
      const last = page.notes.at(-1)
      return {
        noteIds: keepNotes(page.notes),
        next: page.hasMore && last !== undefined ? cursorOf(last, search.sortBy) : null,
      } satisfies ListPage
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
  return { noteIds: noteIdsOf(data), hasMore: data.pages.at(-1)?.next != null }
}

/**
 * For loaders: resolves once the list can be shown, be it as notes or as a failure. What is in the cache is shown at
 * once with all its pages, so that going back finds the list as far as it had been loaded.
 */
export async function prepareList(scope: NoteScope, search: NoteSearch): Promise<void> {
  const query = listQuery(scope, search)
  const state = queryClient.getQueryState(query.queryKey)
  if (state?.data !== undefined && !state.isInvalidated) return
  if (state !== undefined) queryClient.removeQueries({ queryKey: query.queryKey, exact: true })
  await queryClient.infiniteQuery(query).catch(() => {
    // The page shows it: the failure stays in the cache.
  })
}

/** Drops the kept answer to a search, so that its loader asks the server again, from the first page on. */
export function forgetSearch(scope: NoteScope, search: NoteSearch): void {
  queryClient.removeQueries({ queryKey: listKey(scope, search), exact: true })
}
