import { QueryClient } from '@tanstack/react-query'

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
