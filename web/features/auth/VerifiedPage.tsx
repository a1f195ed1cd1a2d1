import { useEffect, useState } from 'react'
import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'
import { clearReturnTo, getReturnTo } from './return-to.ts'

export function Component() {
  const [next] = useState(getReturnTo)
  useEffect(clearReturnTo, [])
  return (
    <RedirectNoticePage title="Email Verified" drawing="done" to={paths.login(next)} destination="the login page">
      Your account is active. Log in to get started.
    </RedirectNoticePage>
  )
}
