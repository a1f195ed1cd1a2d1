import { queryOptions } from '@tanstack/react-query'
import { getEmailChange, getExport, getLeaving, listSessions } from '../../contract/settings.endpoints.ts'
import { api } from '../api/client.ts'

export const emailChangeQuery = queryOptions({
  queryKey: ['settings', 'email'],
  queryFn: ({ signal }) => api.call(getEmailChange, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: async ({ signal }) => (await api.call(listSessions, { signal })).sessions,
})

export const leavingQuery = queryOptions({
  queryKey: ['settings', 'leaving'],
  queryFn: async ({ signal }) => (await api.call(getLeaving, { signal })).leaving,
})

export const exportQuery = queryOptions({
  queryKey: ['settings', 'export'],
  queryFn: async ({ signal }) => (await api.call(getExport, { signal })).export,
})
