import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  countPendingCases,
  getModerationCase,
  getModerationQueue,
  listDecisions,
  listHiddenNotes,
} from '../../../packages/contract/moderation.endpoints.ts'
import type { DecisionPage, HiddenNotes } from '../../../packages/contract/moderation.ts'
import { api } from '../../platform/api/client.ts'

export const queueQuery = queryOptions({
  queryKey: ['moderation', 'queue'],
  queryFn: ({ signal }) => api.call(getModerationQueue, { signal }),
})

export const caseQuery = (noteId: string) =>
  queryOptions({
    queryKey: ['moderation', 'note', noteId],
    queryFn: ({ signal }) => api.call(getModerationCase, { params: { id: noteId }, signal }),
  })

/** The number of pending cases. Without data the badge is hidden. */
export const reviewCountQuery = queryOptions({
  queryKey: ['moderation', 'waiting'],
  queryFn: async ({ signal }) => (await api.call(countPendingCases, { signal })).count,
})

export const hiddenQuery = infiniteQueryOptions({
  queryKey: ['moderation', 'hidden'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) => api.call(listHiddenNotes, { query: { after: pageParam }, signal }),
  getNextPageParam({ notes, hasMore }: HiddenNotes) {
    const last = notes.at(-1)
    return hasMore && last?.hidden ? `${last.hidden.at},${last._id}` : undefined
  },
})

export const decisionsQuery = infiniteQueryOptions({
  queryKey: ['decisions'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) => api.call(listDecisions, { query: { before: pageParam }, signal }),
  getNextPageParam: ({ decisions, hasMore }: DecisionPage) => (hasMore ? String(decisions.at(-1)?.number) : undefined),
})
