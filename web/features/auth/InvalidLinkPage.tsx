import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'

export function Component() {
  return (
    <RedirectNoticePage title="Invalid Link" drawing="broken" to={paths.register()} destination="the registration">
      This link is not complete, or a newer one has taken its place. The latest mail from us has the one that works.
    </RedirectNoticePage>
  )
}
