import { Link } from 'react-router'
import * as paths from '../../platform/paths.ts'
import { useSession } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { formatMoment } from '../notes/format.ts'
import './deletion-notice.css'
import { Row } from '../../platform/ui/layout.tsx'
import { useCancelDeletion } from './use-cancel-deletion.ts'

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
        Your account will be deleted on {formatMoment(leavesAt)}.{' '}
        <Link to={`${page}#leaving`} className="link">
          Details
        </Link>
      </p>
      <Button size="small" busy={isStaying} onClick={() => void stayHere()}>
        Cancel deletion
      </Button>
    </Row>
  )
}
