import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { errors } from '../../contract/errors.ts'
import { confirmEmail } from '../../contract/settings.endpoints.ts'
import { useLinkToken } from '../accounts/use-link-token.ts'
import { trackActivity } from '../api/activity.ts'
import { ApiError, api, messageOf } from '../api/client.ts'
import { SinglePage } from '../layout/SinglePage.tsx'
import '../layout/single-page.css'
import * as paths from '../paths.ts'
import { findCurrentUser } from '../session/start.ts'
import { session } from '../session/store.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import './confirm-email-page.css'

type Step = 'asking' | 'sending' | 'done' | 'invalid'

const texts = {
  asking: 'One click, and your account has this email: this tells us that the mailbox is really yours.',
  done: 'Your email was changed. Log in with the new one from now on.',
  invalid: errors.email_link_invalid.message,
}

/** Where the link in a new mailbox leads. Opening it changes nothing: mail scanners open links, too. */
export function Component() {
  const token = useLinkToken()
  const [step, setStep] = useState<Step>(token === null ? 'invalid' : 'asking')
  const [failure, setFailure] = useState('')

  async function confirm() {
    setStep('sending')
    setFailure('')
    try {
      await trackActivity(api.call(confirmEmail, { body: { token: token ?? '' } }))
      setStep('done')
      // Whoever is signed in here may be somebody else.
      if (session.getState().user !== null) await findCurrentUser().catch(() => {})
    } catch (error) {
      if (error instanceof ApiError && error.code === 'email_link_invalid') return setStep('invalid')
      setStep('asking')
      setFailure(messageOf(error, 'Something went wrong. Please try again later.'))
    }
  }

  return (
    <SinglePage>
      <Drawing name={step === 'done' ? 'done' : step === 'invalid' ? 'broken' : 'letter'} />
      <h1 className="page-title">{step === 'invalid' ? 'Invalid Link' : 'New Email'}</h1>
      <p role="status" className="single-page-text confirm-email-page-text">
        {texts[step === 'sending' ? 'asking' : step]}
      </p>
      {failure && (
        <p role="alert" className="confirm-email-page-failure">
          {failure}
        </p>
      )}
      {step === 'asking' || step === 'sending' ? (
        <Button icon={<MailCheck aria-hidden="true" />} busy={step === 'sending'} onClick={() => void confirm()}>
          Confirm my email
        </Button>
      ) : (
        <ButtonLink to={paths.settings()}>Go to the settings</ButtonLink>
      )}
    </SinglePage>
  )
}
