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

const setting = <T>(name: string, ask: (init: { signal: AbortSignal }) => Promise<T>) =>
  queryOptions({ queryKey: ['settings', name], queryFn: ({ signal }) => ask({ signal }) })

export const emailChangeQuery = setting('email', (init) => api.call(getEmailChange, init))
export const sessionsQuery = setting('sessions', async (init) => (await api.call(listSessions, init)).sessions)
export const passkeysQuery = setting('passkeys', async (init) => (await api.call(listPasskeys, init)).passkeys)
export const twoFactorQuery = setting('two-factor', async (init) => (await api.call(getTwoFactor, init)).twoFactor)
export const accountDeletionQuery = setting('leaving', (init) => api.call(getAccountDeletion, init))
export const exportQuery = setting('export', async (init) => (await api.call(getExport, init)).export)
