import { queryOptions } from '@tanstack/react-query'
import { getAuthorStats } from '../../../../packages/contract/author-stats.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'

export const authorStatsQuery = queryOptions({
  queryKey: ['sharing'],
  queryFn: ({ signal }) => api.call(getAuthorStats, { signal }),
  retryOnMount: false,
})

/** Loaders await this to avoid a layout shift. It never rejects, because the page is complete without it. */
export async function preloadAuthorStats(): Promise<void> {
  await queryClient.fetchQuery(authorStatsQuery).catch(() => {})
}
