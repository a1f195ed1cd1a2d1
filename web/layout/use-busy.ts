import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useNavigation } from 'react-router'
import { useSession } from '../session/store.ts'

/**
 * Whether a request is loading that the student waits for: then the navigation does not react and nobody can log out
 * (SPEC.md section 2). What is refreshed behind a page that is already there does not count.
 */
export function useBusy(): boolean {
  const sessionLoading = useSession((state) => state.isLoading)
  const navigating = useNavigation().state !== 'idle'
  const changing = useIsMutating() > 0
  const loadingMore = useIsFetching({ predicate: ({ state }) => state.fetchMeta?.fetchMore !== undefined }) > 0
  return sessionLoading || navigating || changing || loadingMore
}
