import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Navigate, type NavigateOptions, useNavigate } from 'react-router'
import { verifyEmail, verifyEmailWithPassword } from '../../../packages/contract/accounts.endpoints.ts'
import { verificationWithPassword } from '../../../packages/contract/accounts.ts'
import { errors } from '../../../packages/contract/errors.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api, getErrorMessage } from '../../platform/api/client.ts'
import { CenteredPage } from '../../platform/layout/CenteredPage.tsx'
import * as paths from '../../platform/paths.ts'
import { TextLink } from '../../platform/ui/Button.tsx'
import { TextField } from '../../platform/ui/fields.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { showFormError } from './form-errors.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useTokenParam } from './return-to.ts'
import { PageForm, useApiForm } from './use-api-form.tsx'
import '../../platform/ui/button.css'

/** SPEC.md section 2, "/verify?token=...". It needs a click to change anything: mail scanners open links, too. */
export function Component() {
  const token = useTokenParam()
  return token ? <Verification token={token} /> : <Navigate to={paths.verifyInvalid()} replace />
}

function Verification({ token }: { token: string }) {
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const [needsPassword, setNeedsPassword] = useState(false)

  async function verify() {
    setPending(true)
    try {
      await trackPending(api.call(verifyEmail, { body: { token } }))
      await navigate(paths.verifySuccess(), { replace: true })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'password_needed') setNeedsPassword(true)
      else await navigate(...verificationResult(error))
    }
  }

  if (needsPassword) return <VerifyWithPassword token={token} />

  return (
    <CenteredPage
      drawing="letter"
      title="Email Verification"
      text="Confirm that this is your email address to activate your account."
    >
      <a
        href={paths.verify()}
        className="button button-primary"
        aria-busy={isPending || undefined}
        onClick={(event) => {
          event.preventDefault()
          if (!isPending) void verify()
        }}
      >
        <Icon name={isPending ? 'loader-circle' : 'mail-check'} className={isPending ? 'button-spinner' : undefined} />
        Verify email
      </a>
    </CenteredPage>
  )
}

/**
 * For an address that was registered more than once. A stranger may have registered it first, so the owner of the
 * mailbox chooses name and password again.
 */
function VerifyWithPassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const { form, submit, field, isSubmitting } = useApiForm(
    verificationWithPassword,
    { token, name: '', password: '', confirmPassword: '' },
    async (body) => {
      await api.call(verifyEmailWithPassword, { body })
      await navigate(paths.verifySuccess(), { replace: true })
    },
    async (error, form) => {
      if (isAboutTheLink(error)) await navigate(...verificationResult(error))
      else showFormError(form, error)
    },
  )
  const typed = useWatch({ control: form.control, name: 'password' })

  return (
    <AuthLayout
      title="Email Verification"
      intro="Someone else may have registered with this email too. Set your name and password to finish. Anything entered earlier is discarded."
      footer={
        <>
          Didn’t register? <TextLink to={paths.home()}>Go to the home page</TextLink>, and no account will be created.
        </>
      }
    >
      <PageForm onSubmit={submit} busy={isSubmitting} action="Verify email">
        {/* The link that opened this form is removed, and the focus is lost with it. */}
        <TextField autoFocus label="Name" autoComplete="name" {...field('name')} />
        <NewPasswordFields label="Password" typed={typed} field={field} />
      </PageForm>
    </AuthLayout>
  )
}

/** Errors that another attempt with the same link cannot fix. */
const isAboutTheLink = (error: unknown) =>
  error instanceof ApiError &&
  ['verification_link_invalid', 'verification_link_expired', 'invitation_invalid'].includes(error.code)

/** The page for a failed verification (SPEC.md section 4), chosen by the message, and its options. */
function verificationResult(failure: unknown): [path: string, NavigateOptions] {
  const message = failure instanceof ApiError ? failure.message : ''
  const isOffline = failure instanceof ApiError && failure.status === 0
  const options = { replace: true, state: { reason: isOffline ? message : getErrorMessage(failure, '') } }
  if (message === errors.verification_link_expired.message) return [paths.verifyExpired(), options]
  if (message === errors.verification_link_invalid.message) return [paths.verifyInvalid(), options]
  return [paths.verifyInternalError(), options]
}
