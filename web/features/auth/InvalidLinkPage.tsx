import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

export const Component = () => (
  <RedirectNoticePage title="Invalid Link" drawing="broken" to={paths.register()} destination="the registration page">
    This link is incomplete or out of date. Use the link in our latest email.
  </RedirectNoticePage>
)
