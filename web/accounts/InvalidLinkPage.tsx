import { NoticePage } from '../layout/NoticePage.tsx'
import * as paths from '../paths.ts'

export function Component() {
  return (
    <NoticePage title="Invalid Link" drawing="broken" to={paths.register()} destination="the registration">
      This link is not complete, or a newer one has taken its place. The latest mail from us has the one that works.
    </NoticePage>
  )
}
