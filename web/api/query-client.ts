import { QueryClient } from '@tanstack/react-query'
import { reportQueryActivity } from './activity.ts'

/**
 * The cache of everything the server told us. Requests are tried even while the browser believes to be offline: a
 * loader that waited for the connection would hold its page back for ever, whereas a failure can be shown.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: 30 * 60_000, retry: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

/**
 * A change that is being sent, unless its outcome is on display already, or more of a list: what is refreshed behind a
 * page that is already there is not.
 */
const report = () =>
  reportQueryActivity(
    queryClient.isMutating({ predicate: ({ meta }) => meta?.isAwaited !== false }) > 0 ||
      queryClient.isFetching({ predicate: ({ state }) => state.fetchMeta?.fetchMore !== undefined }) > 0,
  )
queryClient.getMutationCache().subscribe(report)
// Not at every note: hundreds are kept and followed that are never fetched by themselves.
queryClient.getQueryCache().subscribe(({ query }) => query.state.fetchMeta && report())
