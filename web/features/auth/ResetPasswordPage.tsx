import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { resetPassword } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, passwordReset } from '../../../packages/contract/accounts.ts'
import { errors as apiErrors } from '../../../packages/contract/errors.ts'
import { trackActivity } from '../../platform/api/activity.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { AccountPage } from './AuthLayout.tsx'
import { showRefusal, toastFirstMessage } from './form-errors.ts'
import { findKeptNext, forgetNext } from './kept-next.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useLeaveWhenSignedIn } from './use-redirect-if-signed-in.ts'
import { useLinkToken } from './use-token-param.ts'

/** SPEC.md section 2, "/reset-password?token=...". */
export function Component() {
  useLeaveWhenSignedIn(paths.home())
  const token = useLinkToken()
  const navigate = useNavigate()

  useEffect(() => {
    if (token) return
    showError(apiErrors.reset_link_invalid.message)
    void navigate(paths.forgotPassword(), { replace: true })
  }, [token, navigate])

  return token ? <ResetForm token={token} /> : null
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(passwordReset),
    defaultValues: { token, password: '', confirmPassword: '' },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (input) => {
    try {
      await trackActivity(api.call(resetPassword, { body: input }))
    } catch (error) {
      showRefusal(form, error)
      const linkIsGone = error instanceof ApiError && error.code === 'reset_link_invalid'
      if (linkIsGone) await navigate(paths.forgotPassword(), { replace: true })
      return
    }
    showSuccess(accountMessages.passwordReset)
    const next = findKeptNext()
    forgetNext()
    await navigate(paths.login(next), { replace: true })
  }, toastFirstMessage)

  return (
    <AccountPage
      title="Reset Password"
      intro="Choose a new one. Every device that is still logged in will be logged out."
      footer={
        <>
          Remembered it?{' '}
          <Link className="link" to={paths.login()}>
            Login
          </Link>
        </>
      }
    >
      <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
        <NewPasswordFields
          label="New Password"
          typed={password}
          password={{ input: form.register('password'), error: errors.password?.message }}
          confirmPassword={{ input: form.register('confirmPassword'), error: errors.confirmPassword?.message }}
        />
        <Button type="submit" busy={isSubmitting}>
          Reset Password
        </Button>
      </Stack>
    </AccountPage>
  )
}
