import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { errors } from '../../contract/errors.ts'
import { disownChange } from '../../contract/settings.endpoints.ts'
import { useLinkToken } from '../accounts/use-link-token.ts'
import { trackActivity } from '../api/activity.ts'
import { ApiError, api, messageOf } from '../api/client.ts'
import { SinglePage } from '../layout/SinglePage.tsx'
import '../layout/single-page.css'
import * as paths from '../paths.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import './not-me-page.css'

type Step = 'asking' | 'sending' | 'invalid'

/** Where mails about one's account lead whoever did not do it. Opening it changes nothing: mail scanners do, too. */
export function Component() {
  const token = useLinkToken()
  const [step, setStep] = useState<Step>(token === null ? 'invalid' : 'asking')
  const [failure, setFailure] = useState('')

  async function disown() {
    setStep('sending')
    setFailure('')
    try {
      const { resetToken } = await trackActivity(api.call(disownChange, { body: { token: token ?? '' } }))
      // Anew: whoever was signed in here is no longer, and nothing of theirs may stay.
      window.location.replace(`${paths.resetPassword()}?${new URLSearchParams({ token: resetToken })}`)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'alert_link_invalid') return setStep('invalid')
      setStep('asking')
      setFailure(messageOf(error, 'Something went wrong. Please try again later.'))
    }
  }

  if (step === 'invalid') {
    return (
      <SinglePage>
        <Drawing name="broken" />
        <h1 className="page-title">Invalid Link</h1>
        <p role="status" className="single-page-text not-me-page-text">
          {errors.alert_link_invalid.message}
        </p>
        <ButtonLink to={paths.forgotPassword()}>Choose a new password</ButtonLink>
      </SinglePage>
    )
  }
  return (
    <SinglePage>
      <Drawing name="letter" />
      <h1 className="page-title">This Was Not Me</h1>
      <p className="single-page-text not-me-page-text">
        One click logs out every device and makes the password void, so that nobody gets in. Then you choose a new one.
      </p>
      {failure && (
        <p role="alert" className="not-me-page-failure">
          {failure}
        </p>
      )}
      <Button icon={<ShieldAlert aria-hidden="true" />} busy={step === 'sending'} onClick={() => void disown()}>
        Secure my account
      </Button>
    </SinglePage>
  )
}
