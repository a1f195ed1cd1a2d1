import { type Query, QueryClient } from '@tanstack/react-query'
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

/** Lists of which more is on its way. Looked up at every event of a change: to go through hundreds of notes takes longer. */
const growing = new Set<Query>()

/**
 * A change that is being sent, unless its outcome is on display already, or more of a list: what is refreshed behind a
 * page that is already there is not.
 */
const report = () =>
  reportQueryActivity(
    queryClient.isMutating({ predicate: ({ meta }) => meta?.isAwaited !== false }) > 0 || growing.size > 0,
  )
queryClient.getMutationCache().subscribe(report)
queryClient.getQueryCache().subscribe(({ query, type }) => {
  const { fetchStatus, fetchMeta } = query.state
  const isGrowing = type !== 'removed' && fetchStatus === 'fetching' && fetchMeta?.fetchMore !== undefined
  if (isGrowing === growing.has(query)) return
  if (isGrowing) growing.add(query)
  else growing.delete(query)
  report()
})
