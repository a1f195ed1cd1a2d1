import { useMutation } from '@tanstack/react-query'
import { getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showSuccess } from '../../platform/ui/toast.ts'

/** Sends an admin's change and shows a success toast. */
export function useAdminMutation<T, Answer>(send: (change: T) => Promise<Answer>, done: (change: T) => string) {
  return useMutation({
    mutationFn: send,
    onSuccess: (_answer, change) => showSuccess(done(change)),
    onError: (failure) =>
      showErrorToast(failure, getErrorMessage(failure, 'Failed to save your changes. Please try again later.')),
  })
}
