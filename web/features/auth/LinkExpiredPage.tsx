import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

export const Component = () => (
  <RedirectNoticePage title="Link Expired" drawing="clock" to={paths.register()} destination="the registration page">
    Verification links expire after 24 hours. Register again with the same email to get a new one.
  </RedirectNoticePage>
)
