import { useLocation } from 'react-router'
import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

/**
 * SPEC.md section 4: the page for a verification that failed for a reason other than its link. `reason` is the server's
 * message, if any.
 */
export function Component() {
  const { reason } = (useLocation().state ?? {}) as { reason?: string }
  return (
    <RedirectNoticePage
      title="Something Went Wrong"
      drawing="broken"
      to={paths.register()}
      destination="the registration page"
    >
      {reason || 'This one’s on us. Open the link in your email again in a few minutes.'}
    </RedirectNoticePage>
  )
}
