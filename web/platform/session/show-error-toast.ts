import { ApiError } from '../api/client.ts'
import { showError } from '../ui/toast.ts'
import { session } from './store.ts'

/** Shows why an action failed, unless the session ended, which has its own message. */
export function showErrorToast(failure: unknown, message: string): void {
  const isSessionOver = failure instanceof ApiError && failure.code === 'unauthorized'
  if (!isSessionOver || session.getState().user !== null) showError(message)
}
