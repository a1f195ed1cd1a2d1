import { useMutation } from '@tanstack/react-query'
import { trackPending } from '../api/activity.ts'
import { queryClient } from '../api/query-client.ts'
import { showSuccess } from '../ui/toast.ts'
import { showErrorToast } from './show-error-toast.ts'

/** Sends a change, and shows a toast with its failure or, if `done` is not null, its success. */
export const useAction = <T, Answer>(
  send: (change: T) => Promise<Answer>,
  done: ((change: T) => string) | null,
  failed = 'Failed to save your changes. Please try again later.',
) =>
  useMutation(
    {
      mutationFn: (change: T) => trackPending(send(change)),
      onSuccess: (_answer, change) => done && showSuccess(done(change)),
      onError: (failure) => showErrorToast(failure, failed),
    },
    // Passed explicitly, because the layout is outside the pages' `QueryProvider`.
    queryClient,
  )
