import { useEffect, useState } from 'react'
import { NoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'
import { findKeptNext, forgetNext } from './kept-next.ts'

export function Component() {
  const [next] = useState(findKeptNext)
  useEffect(forgetNext, [])
  return (
    <NoticePage title="Email Verified" drawing="done" to={paths.login(next)} destination="the login page">
      Welcome to Lectern. Your account is active: log in and open the shelves.
    </NoticePage>
  )
}
