import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listProblems } from '../../contract/attention.endpoints.ts'
import { getInstanceSettings, listInvitations } from '../../contract/house.endpoints.ts'
import { listAudit, listMembers, listNoteAuthorSuspensions } from '../../contract/members.endpoints.ts'
import type { AuditPage } from '../../contract/members.ts'
import { api } from '../api/client.ts'

export const problemsQuery = queryOptions({
  queryKey: ['admin', 'problems'],
  queryFn: async ({ signal }) => (await api.call(listProblems, { signal })).problems,
})

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => api.call(getInstanceSettings, { signal }),
})

/** @param text a part of a name or an e-mail; blank for those of whom there is something to say. */
export const membersQuery = (text: string) =>
  queryOptions({
    queryKey: ['admin', 'members', text],
    queryFn: ({ signal }) => api.call(listMembers, { query: { text }, signal }),
    placeholderData: keepPreviousData,
  })

export const noteSuspensionsQuery = queryOptions({
  queryKey: ['admin', 'note-suspensions'],
  queryFn: async ({ signal }) => (await api.call(listNoteAuthorSuspensions, { signal })).suspensions,
})

export const invitationsQuery = queryOptions({
  queryKey: ['admin', 'invitations'],
  queryFn: async ({ signal }) => (await api.call(listInvitations, { signal })).invitations,
})

export const auditQuery = infiniteQueryOptions({
  queryKey: ['admin', 'audit'],
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }) => api.call(listAudit, { query: { before: pageParam }, signal }),
  getNextPageParam: ({ entries, hasMore }: AuditPage) => (hasMore ? String(entries.at(-1)?.number) : undefined),
})
