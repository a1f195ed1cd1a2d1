import { useNavigation } from 'react-router'
import { useHasPendingRequests } from '../api/activity.ts'
import { useSession } from '../session/store.ts'

/**
 * Whether a request is loading that the student waits for: then the navigation does not react and nobody can log out
 * (SPEC.md section 2).
 */
export function useIsBusy(): boolean {
  const sessionLoading = useSession((state) => state.isLoading)
  const navigating = useNavigation().state !== 'idle'
  const waiting = useHasPendingRequests()
  return sessionLoading || navigating || waiting
}
