import { useMutation } from '@tanstack/react-query'
import { getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showSuccess } from '../../platform/ui/toast.ts'

/**
 * Sends what an admin changes and says that it is done.
 * @param goOn leads the keyboard elsewhere, where the button that is pressed goes with what is changed.
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
      // Unless the keyboard has gone on meanwhile.
      if (document.activeElement === pressed) goOn?.()
    },
    onError: (failure) =>
      showErrorToast(failure, getErrorMessage(failure, 'This could not be changed. Please try again later.')),
  })
}
