import { MailX } from 'lucide-react'
import { useState } from 'react'
import { endCourseMails } from '../../contract/courses.endpoints.ts'
import { errors } from '../../contract/errors.ts'
import { useLinkToken } from '../accounts/use-link-token.ts'
import { trackActivity } from '../api/activity.ts'
import { ApiError, api, messageOf } from '../api/client.ts'
import { SinglePage } from '../layout/SinglePage.tsx'
import '../layout/single-page.css'
import * as paths from '../paths.ts'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { Drawing } from '../ui/Drawing.tsx'
import './unsubscribe-page.css'

type Step = 'asking' | 'sending' | 'done' | 'invalid'

/** Where the link in a mail about courses leads. Opening it changes nothing: mail scanners open links, too. */
export function Component() {
  const token = useLinkToken()
  const [step, setStep] = useState<Step>(token === null ? 'invalid' : 'asking')
  const [failure, setFailure] = useState('')

  async function end() {
    setStep('sending')
    setFailure('')
    try {
      await trackActivity(api.call(endCourseMails, { query: { token: token ?? '' } }))
      setStep('done')
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unsubscribe_link_invalid') return setStep('invalid')
      setStep('asking')
      setFailure(messageOf(error, 'Something went wrong. Please try again later.'))
    }
  }

  if (step === 'invalid') {
    return (
      <SinglePage>
        <Drawing name="broken" />
        <h1 className="page-title">Invalid Link</h1>
        <p role="status" className="single-page-text unsubscribe-page-text">
          {errors.unsubscribe_link_invalid.message}
        </p>
        <ButtonLink to={paths.courses()}>Choose in Lectern</ButtonLink>
      </SinglePage>
    )
  }
  return (
    <SinglePage>
      <Drawing name={step === 'done' ? 'done' : 'letter'} />
      <h1 className="page-title">Mails About Courses</h1>
      <p role="status" className="single-page-text unsubscribe-page-text">
        {step === 'done'
          ? 'You will get no more of these mails. You still follow your courses, and their new notes are on your home page.'
          : 'One click, and Lectern mails you no more about new notes in your courses.'}
      </p>
      {failure && (
        <p role="alert" className="unsubscribe-page-failure">
          {failure}
        </p>
      )}
      {step !== 'done' && (
        <Button icon={<MailX aria-hidden="true" />} busy={step === 'sending'} onClick={() => void end()}>
          No more mails
        </Button>
      )}
    </SinglePage>
  )
}
