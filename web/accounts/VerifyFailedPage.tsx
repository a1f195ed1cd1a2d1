import { NoticePage } from '../layout/NoticePage.tsx'
import * as paths from '../paths.ts'

export function Component() {
  return (
    <NoticePage title="Something Went Wrong" drawing="broken" to={paths.register()} destination="the registration">
      The fault is ours, not yours. Open the link from your mail again in a few minutes.
    </NoticePage>
  )
}
