import { cancelAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button, TextLink } from '../../platform/ui/Button.tsx'
import { genericError } from '../auth/form-errors.ts'
import { formatMoment } from '../notes/format.ts'
import './deletion-notice.css'
import { Row } from '../../platform/ui/layout.tsx'
import { accountDeletionQuery } from './settings-queries.ts'

export function DeletionNotice({ leavesAt }: { leavesAt: string }) {
  const cancelling = useCancelDeletion()
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
      <Button variant="primary" size="small" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancel deletion
      </Button>
    </Row>
  )
}

export const useCancelDeletion = () =>
  useAction(
    async () => {
      await api.call(cancelAccountDeletion)
      queryClient.setQueryData(accountDeletionQuery.queryKey, (known) => known && { ...known, leaving: null })
      session.changeUser({ leavesAt: undefined })
    },
    () => 'Account deletion cancelled.',
    genericError,
  )
