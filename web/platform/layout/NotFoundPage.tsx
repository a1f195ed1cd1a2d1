import * as paths from '../paths.ts'
import { RedirectNoticePage } from './RedirectNoticePage.tsx'

/** SPEC.md section 2, "any other path". */
export const Component = () => (
  <RedirectNoticePage title="404 Page Not Found" drawing="lost" to={paths.home()} destination="the home page">
    We couldn’t find that page. The link may be wrong, or the page may have been removed.
  </RedirectNoticePage>
)
