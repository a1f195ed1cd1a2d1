import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { requestReset } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, resetRequest } from '../../../packages/contract/accounts.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { EmailField } from '../../platform/ui/EmailField.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { showFormError, toastFirstError } from './form-errors.ts'
import { saveReturnTo } from './return-to.ts'
import { useRedirectIfSignedIn } from './use-redirect-if-signed-in.ts'
import { useReturnTo } from './use-return-to.ts'

/** SPEC.md section 2, "/forgot-password". */
export function Component() {
  useRedirectIfSignedIn(paths.home())
  const navigate = useNavigate()
  const next = useReturnTo()
  const form = useForm({ resolver: zodResolver(resetRequest), defaultValues: { email: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (input) => {
    try {
      await trackPending(api.call(requestReset, { body: input }))
    } catch (error) {
      showFormError(form, error)
      return
    }
    showSuccess(accountMessages.resetRequested)
    saveReturnTo(next)
    await navigate(paths.login(next), { state: { resetEmail: input.email } })
  }, toastFirstError)

  return (
    <AuthLayout
      title="Forgot Password"
      intro="Enter your email and we’ll send you a link to reset your password."
      footer={
        <>
          Remember your password?{' '}
          <Link className="link" to={paths.login(next)}>
            Login
          </Link>
        </>
      }
    >
      <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={submit}>
        <EmailField autoComplete="email" error={errors.email?.message} {...form.register('email')} />
        <Button type="submit" busy={isSubmitting}>
          Send Reset Link
        </Button>
      </Stack>
    </AuthLayout>
  )
}
