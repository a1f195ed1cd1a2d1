import { queryOptions } from '@tanstack/react-query'
import { getAuthorStats } from '../../../contract/sharing.endpoints.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'

export const sharingQuery = queryOptions({
  queryKey: ['sharing'],
  queryFn: ({ signal }) => api.call(getAuthorStats, { signal }),
  retryOnMount: false,
})

/** For loaders, so that nothing moves when it arrives. Without it a page is whole all the same. */
export async function prepareSharing(): Promise<void> {
  await queryClient.fetchQuery(sharingQuery).catch(() => {})
}
