import { startTransition, useState } from 'react'
import { useLocation } from 'react-router'
import { resendVerification } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, type Credentials, credentials } from '../../../packages/contract/accounts.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api, getErrorMessage } from '../../platform/api/client.ts'
import { lazyPart } from '../../platform/layout/chunk-reload.ts'
import * as paths from '../../platform/paths.ts'
import { session, useSession } from '../../platform/session/store.ts'
import { Button, TextLink } from '../../platform/ui/Button.tsx'
import { EmailField, PasswordField } from '../../platform/ui/fields.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from './Alert.tsx'
import { AuthLayout, FooterLink } from './AuthLayout.tsx'
import { displayMessage, genericError, showFormError } from './form-errors.ts'
import { getLoginReason } from './get-login-reason.ts'
import { hasPasskeys, usePasskeyLogin } from './passkeys.ts'
import { clearVisitorState, saveReturnTo, useRedirectIfSignedIn, useReturnTo } from './return-to.ts'
import { useApiForm } from './use-api-form.tsx'
import './auth-layout.css'

const TwoFactorForm = lazyPart(() => import('./TwoFactorForm.tsx').then((part) => part.TwoFactorForm))

/** SPEC.md section 2, "/login". */
export function Component() {
  const next = useReturnTo()
  const waiting = getLoginReason(next)
  useRedirectIfSignedIn(next)
  const { registeredEmail, resetEmail } = (useLocation().state ?? {}) as {
    registeredEmail?: string
    resetEmail?: string
  }
  const isLoading = useSession((state) => state.isLoading)
  const [refusal, setRefusal] = useState<{ code: string; message: string } | null>(null)
  const [isCodeNeeded, setCodeNeeded] = useState(false)
  const passkey = usePasskeyLogin()

  const defaultValues = { email: registeredEmail ?? resetEmail ?? '', password: '' }
  const { form, submit, field } = useApiForm(credentials, defaultValues, async (input, form) => {
    setRefusal(null)
    const outcome = await session.login(input)
    if (outcome.ok) return clearVisitorState()
    const code = outcome.error instanceof ApiError ? outcome.error.code : ''
    if (code === 'code_needed') {
      session.reset()
      return startTransition(() => setCodeNeeded(true))
    }
    const message = showFormError(form, outcome.error, displayMessage(session.getState().message))
    if (code === 'email_not_verified') saveReturnTo(next)
    setRefusal({ code, message })
    session.reset()
  })

  function beginAnew(message?: string) {
    form.resetField('password')
    setCodeNeeded(false)
    if (message) setRefusal({ code: 'login_step_over', message })
  }

  if (isCodeNeeded) {
    return (
      <AuthLayout
        title="Login to Lectern"
        intro="Enter the code from your authenticator app."
        footer={
          <button type="button" className="link" onClick={() => beginAnew()}>
            Start over
          </button>
        }
      >
        <TwoFactorForm onOver={beginAnew} />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Login to Lectern"
      intro={waiting && `Log in ${waiting}.`}
      footer={<FooterLink question="New here?" text="Register" to={paths.register(next)} />}
    >
      <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
        {registeredEmail && !refusal && (
          <Alert kind="mail">
            Almost there. Open the link we sent to <strong>{registeredEmail}</strong>, then log in. If you got more than
            one email, use the latest.
          </Alert>
        )}
        {resetEmail && !refusal && (
          <Alert kind="mail">
            If <strong>{resetEmail}</strong> is registered, a reset link is on its way. It expires in 1 hour. If you got
            more than one email, use the latest.
          </Alert>
        )}
        {refusal?.code === 'email_not_verified' ? (
          <ResendVerification message={refusal.message} credentials={form.getValues} />
        ) : (
          refusal && <Alert kind="error">{refusal.message}</Alert>
        )}
        <EmailField autoComplete={passkey.autoComplete} {...field('email')} />
        <div>
          <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
          <Row as="p" justify="end" top={0.25} size="small" className="login-page-forgot">
            <TextLink to={paths.forgotPassword(next)}>Forgot password?</TextLink>
          </Row>
        </div>
        <Button type="submit" busy={isLoading}>
          Login
        </Button>
        {hasPasskeys() && (
          <Button icon="key-round" busy={passkey.isAsking} disabled={isLoading} onClick={passkey.ask}>
            Log in with a passkey
          </Button>
        )}
      </Stack>
    </AuthLayout>
  )
}

type ResendVerificationProps = {
  message: string
  /** The current form values. The server sends the link again only to users who know the password. */
  credentials: () => Credentials
}

/** Shown after a correct login with an unverified address. */
function ResendVerification({ message, credentials }: ResendVerificationProps) {
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
          <Button size="small" busy={state === 'pending'} onClick={() => void resend()}>
            Resend verification email
          </Button>
        </Row>
      )}
    </Alert>
  )
}
