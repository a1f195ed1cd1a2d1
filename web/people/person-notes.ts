import { infiniteQueryOptions } from '@tanstack/react-query'
import { listPersonNotes } from '../../contract/people.endpoints.ts'
import type { SortKey } from '../../contract/search.ts'
import { api } from '../api/client.ts'
import { type ListData, type ListPage, noteIdsOf } from '../notes/cache/list-pages.ts'
import { personListKey } from '../notes/cache/note-cache.ts'
import { keepPage } from '../notes/list/list-query.ts'

/** What somebody shares by name, page by page. */
export const personNotes = (personId: string, sortBy: SortKey) =>
  infiniteQueryOptions({
    queryKey: personListKey(personId, sortBy),
    initialPageParam: null as ListPage['next'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { sortBy, ...pageParam }
      return keepPage(await api.call(listPersonNotes, { params: { id: personId }, query, signal }), sortBy)
    },
    getNextPageParam: (last) => last.next ?? undefined,
    select: selectIds,
    refetchOnWindowFocus: false,
  })

const selectIds = (data: ListData) => ({ noteIds: noteIdsOf(data), hasMore: data.pages.at(-1)?.next != null })
