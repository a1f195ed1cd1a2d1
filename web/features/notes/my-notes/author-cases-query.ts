import { queryOptions } from '@tanstack/react-query'
import { listOwnModerationCases } from '../../../../packages/contract/moderation.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { authorCasesKey } from '../cache/user-lists.ts'

export const authorCasesQuery = queryOptions({
  queryKey: authorCasesKey,
  queryFn: async ({ signal }) => (await api.call(listOwnModerationCases, { signal })).matters,
  retryOnMount: false,
})

/** Loaders await this to avoid a layout shift. It never rejects, because the page is complete without it. */
export async function preloadAuthorCases(): Promise<void> {
  await queryClient.fetchQuery(authorCasesQuery).catch(() => {})
}
