import { ApiError, getErrorMessage } from '../api/client.ts'
import { showError } from '../ui/toast.ts'
import { session } from './store.ts'

/** Shows the server's message, or else `fallback`, unless the session ended, which has its own message. */
export function showErrorToast(failure: unknown, fallback: string): void {
  const isSessionOver = failure instanceof ApiError && failure.code === 'unauthorized'
  if (!isSessionOver || session.getState().user !== null) showError(getErrorMessage(failure, fallback))
}
