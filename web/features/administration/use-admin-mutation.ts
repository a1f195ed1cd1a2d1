import { useMutation } from '@tanstack/react-query'
import { getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showSuccess } from '../../platform/ui/toast.ts'

/**
 * Sends an admin's change and shows a success toast.
 * @param goOn moves the focus when the change removes the pressed button.
 */
export function useAdminMutation<T, Answer>(
  send: (change: T) => Promise<Answer>,
  done: (change: T) => string,
  goOn?: () => void,
) {
  return useMutation({
    mutationFn: send,
    onMutate: () => document.activeElement,
    onSuccess(_answer, change, pressed) {
      showSuccess(done(change))
      // Only if the user has not moved the focus in the meantime.
      if (document.activeElement === pressed) goOn?.()
    },
    onError: (failure) =>
      showErrorToast(failure, getErrorMessage(failure, 'Failed to save your changes. Please try again later.')),
  })
}
