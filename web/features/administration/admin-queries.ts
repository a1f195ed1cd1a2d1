import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listProblems } from '../../../packages/contract/attention.endpoints.ts'
import { getInstanceSettings, listInvitations } from '../../../packages/contract/instance-settings.endpoints.ts'
import type { Invitations } from '../../../packages/contract/instance-settings.ts'
import { listAudit, listMembers, listNoteAuthorSuspensions } from '../../../packages/contract/members.endpoints.ts'
import type { AuditPage, MemberList } from '../../../packages/contract/members.ts'
import { api } from '../../platform/api/client.ts'

export const problemsQuery = queryOptions({
  queryKey: ['admin', 'problems'],
  queryFn: async ({ signal }) => (await api.call(listProblems, { signal })).problems,
})

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => api.call(getInstanceSettings, { signal }),
})

const pages = { initialPageParam: undefined as string | undefined }

/** @param text a part of a name or an email; blank lists users with a role, a suspension or an own limit. */
export const membersQuery = (text: string) =>
  infiniteQueryOptions({
    ...pages,
    queryKey: ['admin', 'members', text],
    queryFn: ({ pageParam, signal }) => api.call(listMembers, { query: { text, after: pageParam }, signal }),
    getNextPageParam: ({ members, hasMore }: MemberList) => (hasMore ? members.at(-1)?.email : undefined),
    placeholderData: keepPreviousData,
  })

export const noteSuspensionsQuery = queryOptions({
  queryKey: ['admin', 'note-suspensions'],
  queryFn: async ({ signal }) => (await api.call(listNoteAuthorSuspensions, { signal })).suspensions,
})

export const invitationsQuery = infiniteQueryOptions({
  ...pages,
  queryKey: ['admin', 'invitations'],
  queryFn: ({ pageParam, signal }) => api.call(listInvitations, { query: { after: pageParam }, signal }),
  getNextPageParam({ invitations, hasMore }: Invitations) {
    const last = invitations.at(-1)
    return hasMore && last ? `${last.usedAt ? 'used' : 'waiting'},${last.createdAt},${last._id}` : undefined
  },
})

export const auditQuery = infiniteQueryOptions({
  ...pages,
  queryKey: ['admin', 'audit'],
  queryFn: ({ pageParam, signal }) => api.call(listAudit, { query: { before: pageParam }, signal }),
  getNextPageParam: ({ entries, hasMore }: AuditPage) => (hasMore ? String(entries.at(-1)?.number) : undefined),
})
