import { ApiError } from '../api/client.ts'
import { showError } from '../ui/toast.ts'
import { session } from './store.ts'

/** Says why an action failed. Where the session ended on the way, its own message says so. */
export function showErrorToast(failure: unknown, message: string): void {
  const isSessionOver = failure instanceof ApiError && failure.code === 'unauthorized'
  if (!isSessionOver || session.getState().user !== null) showError(message)
}
