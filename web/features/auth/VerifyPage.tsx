import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { verifyEmail } from '../../../packages/contract/accounts.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import * as paths from '../../platform/paths.ts'
import { Icon } from '../../platform/ui/Icon.tsx'
import '../../platform/ui/button.css'
import { useTokenParam } from './use-token-param.ts'
import { VerifyWithPassword } from './VerifyWithPassword.tsx'
import { verificationResult } from './verification-result.ts'

/** SPEC.md section 2, "/verify?token=...". It needs a click to change anything: mail scanners open links, too. */
export function Component() {
  const token = useTokenParam()
  return token ? <Verification token={token} /> : <Navigate to={paths.verifyInvalid()} replace />
}

function Verification({ token }: { token: string }) {
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const [needsPassword, setNeedsPassword] = useState(false)

  async function verify() {
    setPending(true)
    try {
      await trackPending(api.call(verifyEmail, { body: { token } }))
      await navigate(paths.verifySuccess(), { replace: true })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'password_needed') setNeedsPassword(true)
      else await navigate(...verificationResult(error))
    }
  }

  if (needsPassword) return <VerifyWithPassword token={token} />

  return (
    <CenteredPage
      drawing="letter"
      title="Email Verification"
      text="Confirm that this is your email address to activate your account."
    >
      <a
        href={paths.verify()}
        className="button button-primary"
        aria-busy={isPending || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (!isPending) void verify()
        }}
      >
        <Icon name={isPending ? 'loader-circle' : 'mail-check'} className={isPending ? 'button-spinner' : undefined} />
        Verify email
      </a>
    </CenteredPage>
  )
}
