import { useState } from 'react'
import { cancelAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { session } from '../../platform/session/store.ts'
import { showSuccess } from '../../platform/ui/toast.ts'
import { genericError } from '../auth/form-errors.ts'
import { accountDeletionQuery } from './settings-queries.ts'

export function useCancelDeletion() {
  const [isStaying, setStaying] = useState(false)

  async function stayHere() {
    setStaying(true)
    try {
      await trackPending(api.call(cancelAccountDeletion))
      queryClient.setQueryData(accountDeletionQuery.queryKey, (known) => known && { ...known, leaving: null })
      session.changeUser({ leavesAt: undefined })
      showSuccess('Account deletion cancelled.')
    } catch (error) {
      showErrorToast(error, getErrorMessage(error, genericError))
    } finally {
      setStaying(false)
    }
  }

  return { isStaying, stayHere }
}
