import { useState } from 'react'
import { resendVerification } from '../../contract/accounts.endpoints.ts'
import { accountMessages, type Credentials } from '../../contract/accounts.ts'
import { trackActivity } from '../api/activity.ts'
import { api, messageOf } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { Row, Text } from '../ui/layout.tsx'
import { showError, showSuccess } from '../ui/toast.ts'
import { somethingWentWrong } from './form-errors.ts'
import { Notice } from './Notice.tsx'

type ResendVerificationProps = {
  message: string
  /** What the form holds when the button is pressed: only who knows the password has the link sent again. */
  credentials: () => Credentials
}

/** The login was right, but the address has not been verified. */
export function ResendVerification({ message, credentials }: ResendVerificationProps) {
  const [state, setState] = useState<'idle' | 'pending' | 'sent'>('idle')

  async function resend() {
    setState('pending')
    try {
      await trackActivity(api.call(resendVerification, { body: credentials() }))
      setState('sent')
      showSuccess(accountMessages.verificationResent)
    } catch (error) {
      setState('idle')
      showError(messageOf(error, somethingWentWrong))
    }
  }

  return (
    <Notice kind="mail">
      <p>{message}</p>
      {state === 'sent' ? (
        <Text tone="soft" top={0.25}>
          The link is on its way. Look into your spam folder, too. If you asked before, use the newest mail.
        </Text>
      ) : (
        <Row top={0.5}>
          <Button variant="secondary" size="small" busy={state === 'pending'} onClick={() => void resend()}>
            Send the link again
          </Button>
        </Row>
      )}
    </Notice>
  )
}
