import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from './query-client.ts'

/** Around every page that asks the server for more than the session. Not in the first load: it comes with the page. */
export function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}

/** Drops every answer. Where there are answers this part is loaded, so that it works without a connection as well. */
export const clearQueryCache = () => queryClient.clear()
