import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { changePassword } from '../../../packages/contract/settings.endpoints.ts'
import { passwordChange } from '../../../packages/contract/settings.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { showFormError, toastFirstError } from '../auth/form-errors.ts'
import { NewPasswordFields } from '../auth/NewPasswordFields.tsx'
import { SettingsForm } from './SettingsForm.tsx'

export function PasswordForm({ email }: { email: string }) {
  const form = useForm({
    resolver: zodResolver(passwordChange),
    defaultValues: { currentPassword: '', password: '', confirmPassword: '' },
  })
  const password = useWatch({ control: form.control, name: 'password' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      const { message } = await trackPending(api.call(changePassword, { body }))
      form.reset()
      showSuccess(message)
    } catch (error) {
      showFormError(form, error)
    }
  }, toastFirstError)

  return (
    <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change password">
      {/* Shows password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current Password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
      <NewPasswordFields
        label="New Password"
        typed={password}
        password={{ input: form.register('password'), error: errors.password?.message }}
        confirmPassword={{ input: form.register('confirmPassword'), error: errors.confirmPassword?.message }}
      />
    </SettingsForm>
  )
}
