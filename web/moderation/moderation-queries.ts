import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getQueue, listDecisions, listHiddenNotes } from '../../contract/moderation.endpoints.ts'
import type { DecisionPage } from '../../contract/moderation.ts'
import { api } from '../api/client.ts'

export const queueQuery = queryOptions({
  queryKey: ['moderation', 'queue'],
  queryFn: ({ signal }) => api.call(getQueue, { signal }),
})

export const hiddenQuery = queryOptions({
  queryKey: ['moderation', 'hidden'],
  queryFn: ({ signal }) => api.call(listHiddenNotes, { signal }),
})

export const decisionsQuery = infiniteQueryOptions({
  queryKey: ['decisions'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) => api.call(listDecisions, { query: { before: pageParam }, signal }),
  getNextPageParam: ({ decisions, hasMore }: DecisionPage) => (hasMore ? String(decisions.at(-1)?.number) : undefined),
})
