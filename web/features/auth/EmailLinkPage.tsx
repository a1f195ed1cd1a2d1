import { type ReactNode, useState } from 'react'
import { type ErrorCode, errors } from '../../../packages/contract/errors.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import { Button } from '../../platform/ui/Button.tsx'
import type { IconName } from '../../platform/ui/Icon.tsx'
import { Text } from '../../platform/ui/layout.tsx'
import { useTokenParam } from './use-token-param.ts'

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
export function EmailLinkPage({ title, question, action, icon, onConfirm, refusal, onward, done }: EmailLinkPageProps) {
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
