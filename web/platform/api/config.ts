import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { academicYears } from '../../../packages/contract/limits.ts'
import { getClientConfig } from '../../../packages/contract/system.endpoints.ts'
import type { ClientConfig } from '../../../packages/contract/system.ts'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

const clientConfigQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.call(getClientConfig, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** For loaders: loads the limits once. Throws `ApiError` if the server cannot be reached. */
export const ensureClientConfig = (): Promise<ClientConfig> => queryClient.ensureQueryData(clientConfigQuery)

/** The current limits. Suspends unless the page's loader called `ensureClientConfig`. */
export const useClientConfig = (): ClientConfig => useSuspenseQuery(clientConfigQuery).data

/** The academic years of a form, newest first, plus `own` if it is older. */
export function useAcademicYears(own = ''): string[] {
  const [today] = useState(() => new Date())
  const years = academicYears(today, useClientConfig().academicYearStartMonth)
  return own === '' || years.includes(own) ? years : [...years, own]
}
