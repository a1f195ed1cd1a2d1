import { useState } from 'react'
import { cancelAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Button, TextLink } from '../../platform/ui/Button.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { genericError } from '../auth/form-errors.ts'
import { formatMoment } from '../notes/format.ts'
import './deletion-notice.css'
import { Row } from '../../platform/ui/layout.tsx'
import { accountDeletionQuery } from './settings-queries.ts'

export function DeletionNotice({ leavesAt }: { leavesAt: string }) {
  const { isStaying, stayHere } = useCancelDeletion()
  const page = useSession((state) => (state.user?.suspension ? paths.suspended() : paths.settings()))
  return (
    <Row
      as="section"
      justify="center"
      gap={[0.5, 1.25]}
      size="medium"
      className="deletion-notice"
      aria-label="Your account"
    >
      <p>
        Your account will be deleted on {formatMoment(leavesAt)}. <TextLink to={`${page}#leaving`}>Details</TextLink>
      </p>
      <Button variant="primary" size="small" busy={isStaying} onClick={() => void stayHere()}>
        Cancel deletion
      </Button>
    </Row>
  )
}

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
