import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { verifyEmailWithPassword } from '../../../packages/contract/accounts.endpoints.ts'
import { verificationWithPassword } from '../../../packages/contract/accounts.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { showFormError, toastFirstError } from './form-errors.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { verificationResult } from './verification-result.ts'

/**
 * For an address that was registered more than once. A stranger may have registered it first, so the owner of the
 * mailbox chooses name and password again.
 */
export function VerifyWithPassword({ token }: { token: string }) {
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(verificationWithPassword),
    defaultValues: { token, name: '', password: '', confirmPassword: '' },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (input) => {
    try {
      await trackPending(api.call(verifyEmailWithPassword, { body: input }))
    } catch (error) {
      if (isAboutTheLink(error)) await navigate(...verificationResult(error))
      else showFormError(form, error)
      return
    }
    await navigate(paths.verifySuccess(), { replace: true })
  }, toastFirstError)

  return (
    <AuthLayout
      title="Email Verification"
      intro="Someone else may have registered with this email too. Set your name and password to finish. Anything entered earlier is discarded."
      footer={
        <>
          Didn’t register?{' '}
          <Link className="link" to={paths.home()}>
            Go to the home page
          </Link>
          , and no account will be created.
        </>
      }
    >
      <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
        {/* The link that opened this form is removed, and the focus is lost with it. */}
        <TextField autoFocus label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
        <NewPasswordFields
          label="Password"
          typed={password}
          password={{ input: form.register('password'), error: errors.password?.message }}
          confirmPassword={{ input: form.register('confirmPassword'), error: errors.confirmPassword?.message }}
        />
        <Button type="submit" busy={isSubmitting}>
          Verify email
        </Button>
      </Stack>
    </AuthLayout>
  )
}

/** Errors that another attempt with the same link cannot fix. */
const isAboutTheLink = (error: unknown) =>
  error instanceof ApiError &&
  ['verification_link_invalid', 'verification_link_expired', 'invitation_invalid'].includes(error.code)
