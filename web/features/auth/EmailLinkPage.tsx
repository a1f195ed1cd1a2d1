import { type ReactNode, useState } from 'react'
import { unsubscribeFromDigest } from '../../../packages/contract/courses.endpoints.ts'
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import { confirmEmail, secureAccount } from '../../../packages/contract/settings.endpoints.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api, getErrorMessage } from '../../platform/api/client.ts'
import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import * as paths from '../../platform/paths.ts'
import { session } from '../../platform/session/store.ts'
import { Button, ButtonLink } from '../../platform/ui/Button.tsx'
import type { IconName } from '../../platform/ui/Icon.tsx'
import { Text } from '../../platform/ui/layout.tsx'
import { logOut } from './log-out.ts'
import { useTokenParam } from './return-to.ts'

type EmailLinkPageProps = {
  title: string
  /** Explains the effect of the click. */
  question: string
  action: string
  icon: IconName
  onConfirm: (token: string) => Promise<unknown>
  refusal: ErrorCode
  /** The link to the next page, shown before and after the click. */
  onward: ReactNode
  /** The message after success; not needed if the click navigates elsewhere. */
  done?: ReactNode
}

type Step = 'asking' | 'sending' | 'done' | 'invalid'

/** The target of a link in a mail. It needs a click to change anything, because mail scanners open links, too. */
function EmailLinkPage({ title, question, action, icon, onConfirm, refusal, onward, done }: EmailLinkPageProps) {
  const token = useTokenParam()
  const [step, setStep] = useState<Step>(token === null ? 'invalid' : 'asking')
  const [failure, setFailure] = useState('')

  async function confirm() {
    setStep('sending')
    setFailure('')
    try {
      await trackPending(onConfirm(token ?? ''))
      if (done !== undefined) setStep('done')
    } catch (error) {
      if (error instanceof ApiError && error.code === refusal) return setStep('invalid')
      setStep('asking')
      setFailure(getErrorMessage(error, 'Something went wrong. Please try again later.'))
    }
  }

  const isOpen = step === 'asking' || step === 'sending'
  return (
    <CenteredPage
      drawing={step === 'done' ? 'done' : step === 'invalid' ? 'broken' : 'letter'}
      title={step === 'invalid' ? 'Invalid Link' : title}
      text={step === 'invalid' ? errors[refusal].message : step === 'done' ? done : question}
      isLive
    >
      {failure && (
        <Text role="alert" tone="danger" bottom={1}>
          {failure}
        </Text>
      )}
      {isOpen && (
        <Button variant="primary" icon={icon} busy={step === 'sending'} onClick={() => void confirm()}>
          {action}
        </Button>
      )}
      {!isOpen && onward}
    </CenteredPage>
  )
}

const emailLinkPage = (texts: EmailLinkPageProps) => ({ Component: () => <EmailLinkPage {...texts} /> })

/** The link that is sent to a new address. */
export const confirmEmailPage = emailLinkPage({
  title: 'Confirm your new email',
  question: 'Confirm that this is your email address.',
  action: 'Confirm email',
  icon: 'mail-check',
  onConfirm: (token) => api.call(confirmEmail, { body: { token } }),
  refusal: 'email_link_invalid',
  onward: <ButtonLink to={paths.settings()}>Go to settings</ButtonLink>,
  done: 'Email changed. Use it the next time you log in.',
})

/** The unsubscribe link in digest mails. */
export const unsubscribePage = emailLinkPage({
  title: 'Course emails',
  question: 'Stop getting emails about new notes in your courses?',
  action: 'Unsubscribe',
  icon: 'mail-x',
  onConfirm: (token) => api.call(unsubscribeFromDigest, { query: { token } }),
  refusal: 'unsubscribe_link_invalid',
  onward: <ButtonLink to={paths.courses()}>Go to Courses</ButtonLink>,
  done: 'You’re unsubscribed. You still follow your courses and see their new notes on your home page.',
})

/** The "This was not me" link in security mails. */
export const secureAccountPage = emailLinkPage({
  title: 'Secure your account',
  question: 'This logs out all devices, removes all passkeys and disables your password. Next, you’ll set a new one.',
  action: 'Secure my account',
  icon: 'shield-exclamation-point',
  onConfirm: disown,
  refusal: 'alert_link_invalid',
  onward: <ButtonLink to={paths.forgotPassword()}>Choose a new password</ButtonLink>,
})

async function disown(token: string): Promise<void> {
  const { resetToken } = await api.call(secureAccount, { body: { token } })
  // The next page redirects signed-in users home, and the token would be lost.
  if (session.getState().user !== null) await logOut()
  // Reloads the document, so that no data of the previous user stays in memory.
  window.location.replace(`${paths.resetPassword()}?${new URLSearchParams({ token: resetToken })}`)
}
