import { useNavigation } from 'react-router'
import { useHasPendingRequests } from '../api/activity.ts'
import { useSession } from '../session/store.ts'

/**
 * Whether a request that the student waits for is pending: the navigation and the logout are then disabled (SPEC.md
 * section 2).
 */
export function useIsBusy(): boolean {
  const sessionLoading = useSession((state) => state.isLoading)
  const navigating = useNavigation().state !== 'idle'
  const waiting = useHasPendingRequests()
  return sessionLoading || navigating || waiting
}
