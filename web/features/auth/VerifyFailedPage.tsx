import { useLocation } from 'react-router'
import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

/** SPEC.md section 4: where a verification leads that failed for any reason but its link. The server may have said which. */
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
