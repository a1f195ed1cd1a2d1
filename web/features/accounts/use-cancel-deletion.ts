import { useState } from 'react'
import { cancelAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import { trackActivity } from '../../platform/api/activity.ts'
import { api, messageOf } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { sayFailure } from '../../platform/session/show-error-toast.ts'
import { session } from '../../platform/session/store.ts'
import { showSuccess } from '../../platform/ui/toast.ts'
import { somethingWentWrong } from '../auth/form-errors.ts'
import { leavingQuery } from './settings-queries.ts'

/** Keeps the account that was to be deleted. */
export function useStay() {
  const [isStaying, setStaying] = useState(false)

  async function stayHere() {
    setStaying(true)
    try {
      await trackActivity(api.call(cancelAccountDeletion))
      queryClient.setQueryData(leavingQuery.queryKey, (known) => known && { ...known, leaving: null })
      session.changeUser({ leavesAt: undefined })
      showSuccess('Good to have you. Your account stays.')
    } catch (error) {
      sayFailure(error, messageOf(error, somethingWentWrong))
    } finally {
      setStaying(false)
    }
  }

  return { isStaying, stayHere }
}
