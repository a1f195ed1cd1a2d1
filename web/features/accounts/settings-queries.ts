import { queryOptions } from '@tanstack/react-query'
import { listPasskeys } from '../../../packages/contract/passkeys.endpoints.ts'
import {
  getAccountDeletion,
  getEmailChange,
  getExport,
  listSessions,
} from '../../../packages/contract/settings.endpoints.ts'
import { getTwoFactor } from '../../../packages/contract/two-factor.endpoints.ts'
import { api } from '../../platform/api/client.ts'

export const emailChangeQuery = queryOptions({
  queryKey: ['settings', 'email'],
  queryFn: ({ signal }) => api.call(getEmailChange, { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['settings', 'sessions'],
  queryFn: async ({ signal }) => (await api.call(listSessions, { signal })).sessions,
})

export const passkeysQuery = queryOptions({
  queryKey: ['settings', 'passkeys'],
  queryFn: async ({ signal }) => (await api.call(listPasskeys, { signal })).passkeys,
})

export const twoFactorQuery = queryOptions({
  queryKey: ['settings', 'two-factor'],
  queryFn: async ({ signal }) => (await api.call(getTwoFactor, { signal })).twoFactor,
})

export const accountDeletionQuery = queryOptions({
  queryKey: ['settings', 'leaving'],
  queryFn: ({ signal }) => api.call(getAccountDeletion, { signal }),
})

export const exportQuery = queryOptions({
  queryKey: ['settings', 'export'],
  queryFn: async ({ signal }) => (await api.call(getExport, { signal })).export,
})
