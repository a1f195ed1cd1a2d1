import { Link } from 'react-router'
import { formatMoment } from '../notes/format.ts'
import * as paths from '../paths.ts'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import './leaving-notice.css'
import { useStay } from './use-stay.ts'

/** On every page of somebody whose account will be deleted. */
export function LeavingNotice({ leavesAt }: { leavesAt: string }) {
  const { isStaying, stayHere } = useStay()
  const page = useSession((state) => (state.user?.suspension ? paths.suspended() : paths.settings()))
  return (
    <section className="leaving-notice" aria-label="Your account">
      <p>
        Your account will be deleted on {formatMoment(leavesAt)}.{' '}
        <Link to={`${page}#leaving`} className="link">
          What happens then
        </Link>
      </p>
      <Button size="small" busy={isStaying} onClick={() => void stayHere()}>
        Keep my account
      </Button>
    </section>
  )
}
