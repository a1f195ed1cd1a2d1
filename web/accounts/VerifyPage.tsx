import { LoaderCircle, MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { verifyEmail } from '../../contract/accounts.endpoints.ts'
import { trackActivity } from '../api/activity.ts'
import { api } from '../api/client.ts'
import { SinglePage } from '../layout/SinglePage.tsx'
import * as paths from '../paths.ts'
import { Drawing } from '../ui/Drawing.tsx'
import { useLinkToken } from './use-link-token.ts'
import { verificationResult } from './verification-result.ts'

/** SPEC.md section 2, "/verify?token=...". Opening it changes nothing: mail scanners open links, too. */
export function Component() {
  const token = useLinkToken()
  return token ? <Verification token={token} /> : <Navigate to={paths.verifyInvalid()} replace />
}

function Verification({ token }: { token: string }) {
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const Icon = isPending ? LoaderCircle : MailCheck

  async function verify() {
    setPending(true)
    const result = await trackActivity(api.call(verifyEmail, { body: { token } })).then(
      paths.verifySuccess,
      verificationResult,
    )
    await navigate(result, { replace: true })
  }

  return (
    <SinglePage>
      <Drawing name="letter" />
      <h1 className="page-title">Email Verification</h1>
      <p className="mt-3 mb-8 text-lg text-ink-soft">
        One click, and your account is active: this tells us that the mailbox is really yours.
      </p>
      <a
        href={paths.verify()}
        className="btn btn-primary"
        aria-busy={isPending || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (!isPending) void verify()
        }}
      >
        <Icon aria-hidden="true" className={isPending ? 'animate-spin' : undefined} />
        Verify my email
      </a>
    </SinglePage>
  )
}
