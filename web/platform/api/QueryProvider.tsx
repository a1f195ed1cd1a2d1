import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryClient } from './query-client.ts'

/** For pages that need more from the server than the session. It is loaded with the page, not in the first load. */
export const QueryProvider = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

/** Deletes all cached responses. This script is loaded whenever there are any, so it also works offline. */
export const clearQueryCache = () => queryClient.clear()
