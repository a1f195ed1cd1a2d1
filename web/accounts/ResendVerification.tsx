import { useMutation } from '@tanstack/react-query'
import type { Credentials } from '../../contract/accounts.ts'
import { accountMessages } from '../../contract/accounts.ts'
import { api, messageOf } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
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
  const resend = useMutation({
    mutationFn: () => api.post('/api/users/verify/resend', credentials()),
    onSuccess: () => showSuccess(accountMessages.verificationResent),
    onError: (error) => showError(messageOf(error, somethingWentWrong)),
  })
  return (
    <Notice kind="mail">
      <p>{message}</p>
      {resend.isSuccess ? (
        <p className="mt-1 text-ink-soft">The link is on its way. Look into your spam folder, too.</p>
      ) : (
        <Button className="mt-2" variant="secondary" size="sm" busy={resend.isPending} onClick={() => resend.mutate()}>
          Send the link again
        </Button>
      )}
    </Notice>
  )
}
