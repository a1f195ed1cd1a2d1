import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { changeName } from '../../contract/settings.endpoints.ts'
import { nameChange } from '../../contract/settings.ts'
import { showRefusal, toastFirstMessage } from '../accounts/form-errors.ts'
import { trackActivity } from '../api/activity.ts'
import { api } from '../api/client.ts'
import { session } from '../session/store.ts'
import { TextField } from '../ui/TextField.tsx'
import { showSuccess } from '../ui/toast.ts'
import { SettingsForm } from './SettingsForm.tsx'

export function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(nameChange), defaultValues: { name } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      const changed = await trackActivity(api.call(changeName, { body }))
      session.changeUser(changed)
      form.reset(changed)
      showSuccess('Your name was changed.')
    } catch (error) {
      showRefusal(form, error)
    }
  }, toastFirstMessage)

  return (
    <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change name">
      <TextField label="Name" autoComplete="name" error={errors.name?.message} {...form.register('name')} />
    </SettingsForm>
  )
}
