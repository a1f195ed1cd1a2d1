import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { changeName } from '../../../packages/contract/settings.endpoints.ts'
import { nameChange } from '../../../packages/contract/settings.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { session } from '../../platform/session/store.ts'
import { TextField } from '../../platform/ui/TextField.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { showFormError, toastFirstError } from '../auth/form-errors.ts'
import { SettingsForm } from './SettingsForm.tsx'

export function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(nameChange), defaultValues: { name } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      const changed = await trackPending(api.call(changeName, { body }))
      session.changeUser(changed)
      form.reset(changed)
      showSuccess('Name changed.')
    } catch (error) {
      showFormError(form, error)
    }
  }, toastFirstError)

  return (
    <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change name">
      <TextField label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
    </SettingsForm>
  )
}
