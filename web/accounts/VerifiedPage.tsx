import { NoticePage } from '../layout/NoticePage.tsx'
import * as paths from '../paths.ts'

export function Component() {
  return (
    <NoticePage title="Email Verified" drawing="done" to={paths.login()} destination="the login page">
      Welcome to Lectern. Your account is active: log in and open the shelves.
    </NoticePage>
  )
}
