import * as paths from '../paths.ts'
import { RedirectNoticePage } from './RedirectNoticePage.tsx'

/** SPEC.md section 2, "any other path". */
export function Component() {
  return (
    <RedirectNoticePage title="404 Page Not Found" drawing="lost" to={paths.home()} destination="the home page">
      Nothing lies at this place on the desk. The address may be misspelt, or what was here has been put away.
    </RedirectNoticePage>
  )
}
