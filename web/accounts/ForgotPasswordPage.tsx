import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { accountMessages, resetRequest } from '../../contract/accounts.ts'
import { api } from '../api/client.ts'
import * as paths from '../paths.ts'
import { Button } from '../ui/Button.tsx'
import { showSuccess } from '../ui/toast.ts'
import { AccountPage } from './AccountPage.tsx'
import { EmailField } from './EmailField.tsx'
import { showRefusal, toastFirstMessage } from './form-errors.ts'
import { useLeaveWhenSignedIn } from './use-leave-when-signed-in.ts'

/** SPEC.md section 2, "/forgot-password". */
export function Component() {
  useLeaveWhenSignedIn(paths.home())
  const navigate = useNavigate()
  const form = useForm({ resolver: zodResolver(resetRequest), defaultValues: { email: '' } })
  const request = useMutation({
    mutationFn: (input: { email: string }) => api.post('/api/users/forgot-password', input),
    onSuccess: () => {
      showSuccess(accountMessages.resetRequested)
      void navigate(paths.login())
    },
    onError: (error) => void showRefusal(form, error),
  })

  return (
    <AccountPage
      title="Forgot Password"
      intro="It happens to the best notes, too. Tell us your email and we send you a link to choose a new password."
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
        onSubmit={form.handleSubmit((input) => request.mutate(input), toastFirstMessage)}
      >
        <EmailField autoComplete="email" error={form.formState.errors.email?.message} {...form.register('email')} />
        <Button type="submit" busy={request.isPending}>
          Send Reset Link
        </Button>
      </form>
    </AccountPage>
  )
}
