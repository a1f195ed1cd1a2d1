import { useEffect } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { resetPassword } from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages, passwordReset } from '../../../packages/contract/accounts.ts'
import { errors as apiErrors } from '../../../packages/contract/errors.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import * as paths from '../../platform/paths.ts'
import { showError, showSuccess } from '../../platform/ui/toast.ts'
import { AuthLayout, FooterLink } from './AuthLayout.tsx'
import { showFormError } from './form-errors.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { clearVisitorState, getReturnTo, useRedirectIfSignedIn, useTokenParam } from './return-to.ts'
import { PageForm, useApiForm } from './use-api-form.tsx'

/** SPEC.md section 2, "/reset-password?token=...". */
export function Component() {
  useRedirectIfSignedIn(paths.home())
  const token = useTokenParam()
  const navigate = useNavigate()

  useEffect(() => {
    if (token) return
    showError(apiErrors.reset_link_invalid.message)
    void navigate(paths.forgotPassword(getReturnTo()), { replace: true })
  }, [token, navigate])

  return token ? <ResetForm token={token} /> : null
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const { form, submit, field, isSubmitting } = useApiForm(
    passwordReset,
    { token, password: '', confirmPassword: '' },
    async (body) => {
      await api.call(resetPassword, { body })
      showSuccess(accountMessages.passwordReset)
      const next = getReturnTo()
      clearVisitorState()
      await navigate(paths.login(next), { replace: true })
    },
    async (error, form) => {
      showFormError(form, error)
      const linkIsGone = error instanceof ApiError && error.code === 'reset_link_invalid'
      if (linkIsGone) await navigate(paths.forgotPassword(getReturnTo()), { replace: true })
    },
  )
  const typed = useWatch({ control: form.control, name: 'password' })

  return (
    <AuthLayout
      title="Reset Password"
      intro="Choose a new password. This logs you out on all devices."
      footer={<FooterLink question="Remember your password?" text="Login" to={paths.login(getReturnTo())} />}
    >
      <PageForm onSubmit={submit} busy={isSubmitting} action="Reset Password">
        <NewPasswordFields label="New Password" typed={typed} field={field} />
      </PageForm>
    </AuthLayout>
  )
}
