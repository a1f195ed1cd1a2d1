import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { renamePasskey } from '../../../packages/contract/passkeys.endpoints.ts'
import { type Passkey, passkeyRename } from '../../../packages/contract/passkeys.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { api } from '../../platform/api/client.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { showFormError, toastFirstError } from '../auth/form-errors.ts'

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(passkeyRename), defaultValues: { name: passkey.name } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (body) => {
    try {
      await trackPending(api.call(renamePasskey, { params: { id: passkey._id }, body }))
      onClose()
      showSuccess('Passkey renamed.')
    } catch (error) {
      showFormError(form, error)
    }
  }, toastFirstError)

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rename ${passkey.name}`}
      description="Only you see this name. Your device may show a different one."
      action="Rename"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      <TextField label="Passkey name" autoComplete="off" error={errors.name?.message} {...form.register('name')} />
    </FormDialog>
  )
}
