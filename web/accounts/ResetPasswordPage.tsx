import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { accountMessages, type PasswordReset, passwordReset } from '../../contract/accounts.ts'
import { errors as apiErrors } from '../../contract/errors.ts'
import { ApiError, api } from '../api/client.ts'
import * as paths from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { showError, showSuccess } from '../ui/toast.ts'
import { AccountPage } from './AccountPage.tsx'
import { showRefusal, toastFirstMessage } from './form-errors.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'
import { useLinkToken } from './use-link-token.ts'

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
  const { errors } = form.formState
  const reset = useMutation({
    mutationFn: (input: PasswordReset) => api.post('/api/users/reset-password', input),
    onSuccess: () => {
      showSuccess(accountMessages.passwordReset)
      void navigate(paths.login(), { replace: true })
    },
    onError: (error) => {
      showRefusal(form, error)
      const linkIsGone = error instanceof ApiError && error.code === 'reset_link_invalid'
      if (linkIsGone) void navigate(paths.forgotPassword(), { replace: true })
    },
  })

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
      <form
        className="account-form"
        noValidate
        onSubmit={form.handleSubmit((input) => reset.mutate(input), toastFirstMessage)}
      >
        <NewPasswordFields
          label="New Password"
          typed={form.watch('password')}
          password={{ input: form.register('password'), error: errors.password?.message }}
          confirmPassword={{ input: form.register('confirmPassword'), error: errors.confirmPassword?.message }}
        />
        <Button type="submit" busy={reset.isPending}>
          Reset Password
        </Button>
      </form>
    </AccountPage>
  )
}
