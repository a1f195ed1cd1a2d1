import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../api/client.ts'
import { showError, showSuccess } from '../ui/toast.ts'
import { refreshAdmin } from './admin-queries.ts'

/** Sends what an admin changes, says that it is done, and shows everything as it is by then. */
export function useAdminChange<T, Answer>(send: (change: T) => Promise<Answer>, done: (change: T) => string) {
  return useMutation({
    mutationFn: send,
    onSuccess: (_answer, change) => showSuccess(done(change)),
    onError: (failure) => showError(messageOf(failure, 'This could not be changed. Please try again later.')),
    onSettled: refreshAdmin,
  })
}
