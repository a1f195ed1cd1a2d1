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
      destination="the registration"
    >
      {reason || 'The fault is ours, not yours. Open the link from your mail again in a few minutes.'}
    </RedirectNoticePage>
  )
}
