import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { renamePasskey } from '../../contract/passkeys.endpoints.ts'
import { type Passkey, passkeyRename } from '../../contract/passkeys.ts'
import { showRefusal, toastFirstMessage } from '../accounts/form-errors.ts'
import { trackActivity } from '../api/activity.ts'
import { api } from '../api/client.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showSuccess } from '../ui/toast.ts'

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(passkeyRename), defaultValues: { name: passkey.name } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      await trackActivity(api.call(renamePasskey, { params: { id: passkey._id }, body }))
      onClose()
      showSuccess('The passkey was renamed.')
    } catch (error) {
      showRefusal(form, error)
    }
  }, toastFirstMessage)

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rename ${passkey.name}`}
      description="The name is for you alone. Your device goes on showing its own."
      action="Rename"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <TextField label="Its Name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
    </FormDialog>
  )
}
