import { Link } from 'react-router'
import { formatMoment } from '../notes/format.ts'
import * as paths from '../paths.ts'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import './leaving-notice.css'
import { Row } from '../ui/layout.tsx'
import { useStay } from './use-stay.ts'

/** On every page of somebody whose account will be deleted. */
export function LeavingNotice({ leavesAt }: { leavesAt: string }) {
  const { isStaying, stayHere } = useStay()
  const page = useSession((state) => (state.user?.suspension ? paths.suspended() : paths.settings()))
  return (
    <Row
      as="section"
      justify="center"
      gap={[0.5, 1.25]}
      size="medium"
      className="leaving-notice"
      aria-label="Your account"
    >
      <p>
        Your account will be deleted on {formatMoment(leavesAt)}.{' '}
        <Link to={`${page}#leaving`} className="link">
          What happens then
        </Link>
      </p>
      <Button size="small" busy={isStaying} onClick={() => void stayHere()}>
        Keep my account
      </Button>
    </Row>
  )
}
