import { useNavigate } from 'react-router'
import { requestReset } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, resetRequest } from '../../../packages/contract/accounts.ts'
import { api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { EmailField } from '../../platform/ui/fields.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { AuthLayout, FooterLink } from './AuthLayout.tsx'
import { saveReturnTo, useRedirectIfSignedIn, useReturnTo } from './return-to.ts'
import { PageForm, useApiForm } from './use-api-form.tsx'

/** SPEC.md section 2, "/forgot-password". */
export function Component() {
  useRedirectIfSignedIn(paths.home())
  const navigate = useNavigate()
  const next = useReturnTo()
  const { submit, field, isSubmitting } = useApiForm(resetRequest, { email: '' }, async (body) => {
    await api.call(requestReset, { body })
    showSuccess(accountMessages.resetRequested)
    saveReturnTo(next)
    await navigate(paths.login(next), { state: { resetEmail: body.email } })
  })

  return (
    <AuthLayout
      title="Forgot Password"
      intro="Enter your email and we’ll send you a link to reset your password."
      footer={<FooterLink question="Remember your password?" text="Login" to={paths.login(next)} />}
    >
      <PageForm onSubmit={submit} busy={isSubmitting} action="Send Reset Link">
        <EmailField autoComplete="email" {...field('email')} />
      </PageForm>
    </AuthLayout>
  )
}
