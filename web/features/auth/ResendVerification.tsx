import { useState } from 'react'
import { resendVerification } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, type Credentials } from '../../../packages/contract/accounts.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from './Alert.tsx'
import { genericError } from './form-errors.ts'

type ResendVerificationProps = {
  message: string
  /** The current form values. The server sends the link again only to users who know the password. */
  credentials: () => Credentials
}

/** Shown after a correct login with an unverified address. */
export function ResendVerification({ message, credentials }: ResendVerificationProps) {
  const [state, setState] = useState<'idle' | 'pending' | 'sent'>('idle')

  async function resend() {
    setState('pending')
    try {
      await trackPending(api.call(resendVerification, { body: credentials() }))
      setState('sent')
      showSuccess(accountMessages.verificationResent)
    } catch (error) {
      setState('idle')
      showError(getErrorMessage(error, genericError))
    }
  }

  return (
    <Alert kind="mail">
      <p>{message}</p>
      {state === 'sent' ? (
        <Text tone="soft" top={0.25}>
          Sent. If it doesn’t arrive, check your spam folder. If you got more than one email, use the latest.
        </Text>
      ) : (
        <Row top={0.5}>
          <Button variant="secondary" size="small" busy={state === 'pending'} onClick={() => void resend()}>
            Resend verification email
          </Button>
        </Row>
      )}
    </Alert>
  )
}
