import { useState } from 'react'
import { cancelAccountDeletion } from '../../contract/settings.endpoints.ts'
import { somethingWentWrong } from '../accounts/form-errors.ts'
import { trackActivity } from '../api/activity.ts'
import { api, messageOf } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { sayFailure } from '../session/say-failure.ts'
import { session } from '../session/store.ts'
import { showSuccess } from '../ui/toast.ts'
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
