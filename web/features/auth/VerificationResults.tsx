import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { RedirectNoticePage } from '../../platform/layout/RedirectNoticePage.tsx'
import * as paths from '../../platform/paths.ts'
import { clearVisitorState, getReturnTo } from './return-to.ts'

const register = { to: paths.register(), destination: 'the registration page' }

export const verified = {
  Component() {
    const [next] = useState(getReturnTo)
    useEffect(clearVisitorState, [])
    return (
      <RedirectNoticePage title="Email Verified" drawing="done" to={paths.login(next)} destination="the login page">
        Your account is active. Log in to get started.
      </RedirectNoticePage>
    )
  },
}

export const expired = {
  Component: () => (
    <RedirectNoticePage title="Link Expired" drawing="clock" {...register}>
      Verification links expire after 24 hours. Register again with the same email to get a new one.
    </RedirectNoticePage>
  ),
}

export const invalid = {
  Component: () => (
    <RedirectNoticePage title="Invalid Link" drawing="broken" {...register}>
      This link is incomplete or out of date. Use the link in our latest email.
    </RedirectNoticePage>
  ),
}

/** SPEC.md section 4: failed for a reason other than the link. `reason` is the server's message, if any. */
export const failed = {
  Component() {
    const { reason } = (useLocation().state ?? {}) as { reason?: string }
    return (
      <RedirectNoticePage title="Something Went Wrong" drawing="broken" {...register}>
        {reason || 'This one’s on us. Open the link in your email again in a few minutes.'}
      </RedirectNoticePage>
    )
  },
}
