import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../platform/api/client.ts'
import { sayFailure } from '../../platform/session/show-error-toast.ts'
import { showSuccess } from '../../platform/ui/toast.ts'

/**
 * Sends what an admin changes and says that it is done.
 * @param goOn leads the keyboard elsewhere, where the button that is pressed goes with what is changed.
 */
export function useAdminChange<T, Answer>(
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
    onError: (failure) => sayFailure(failure, messageOf(failure, 'This could not be changed. Please try again later.')),
  })
}
