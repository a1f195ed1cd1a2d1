import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { addPasskey, createPasskeyRegistrationOptions } from '../../../packages/contract/passkeys.endpoints.ts'
import { passkeyForm } from '../../../packages/contract/passkeys.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { PasswordField } from '../../platform/ui/PasswordField.tsx'
import { TextField } from '../../platform/ui/TextField.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from '../auth/Alert.tsx'
import { showFormError, toastFirstError } from '../auth/form-errors.ts'
import { createPasskey, passkeyMessage, rememberPasskey } from '../auth/passkeys.ts'

/** Asks for the password and a name, lets the browser create the passkey, and saves it. */
export function AddPasskey() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Add a passkey
      </Button>
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(passkeyForm), defaultValues: { name: '', currentPassword: '' } })
  const { errors, isSubmitting } = form.formState
  /** The browser's error, shown inside because toasts cannot be reached while a dialog is open. */
  const [refusal, setRefusal] = useState('')

  const submit = form.handleSubmit(async ({ name, currentPassword }) => {
    setRefusal('')
    try {
      await trackPending(add(name, currentPassword))
      onClose()
      showSuccess('Passkey added.')
    } catch (error) {
      const message = showFormError(form, error, passkeyMessage(error))
      if (!(error instanceof ApiError) || error.code !== 'wrong_password') setRefusal(message)
    }
  }, toastFirstError)

  return (
    <FormDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Add a passkey"
      description="Your browser will ask for your fingerprint, face, PIN or security key next."
      action="Continue"
      busy={isSubmitting}
      onSubmit={() => void submit()}
    >
      {refusal && (
        <div role="alert">
          <Alert kind="error">{refusal}</Alert>
        </div>
      )}
      <TextField
        label="Passkey name"
        hint="For example, “My phone”."
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...form.register('currentPassword')}
      />
    </FormDialog>
  )
}

async function add(name: string, currentPassword: string): Promise<void> {
  const options = await api.call(createPasskeyRegistrationOptions, { body: { currentPassword } })
  const credential = await createPasskey(options)
  await api.call(addPasskey, { body: { name, credential } })
  rememberPasskey()
}
