import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

export function Component() {
  return (
    <RedirectNoticePage title="Link Expired" drawing="clock" to={paths.register()} destination="the registration">
      A verification link works for 24 hours. Register again with the same email, and a fresh one comes to you.
    </RedirectNoticePage>
  )
}
