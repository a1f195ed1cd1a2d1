import { useQuery } from '@tanstack/react-query'
import { cancelEmailChange, changeEmail, resumeMails } from '../../../packages/contract/settings.endpoints.ts'
import { emailChange } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { EmailField, PasswordField } from '../../platform/ui/fields.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from '../auth/Alert.tsx'
import { genericError } from '../auth/form-errors.ts'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { formatMoment } from '../notes/format.ts'
import { emailChangeQuery } from './settings-queries.ts'

export function EmailForm({ email }: { email: string }) {
  const defaultValues = { email: '', currentPassword: '' }
  const { submit, field, isSubmitting } = useApiForm(emailChange, defaultValues, async (body, form) => {
    const { message } = await api.call(changeEmail, { body })
    form.reset()
    showSuccess(message)
  })

  return (
    <>
      <Text bottom={1.125}>
        Current email: <strong>{email}</strong>
      </Text>
      <BouncingEmail email={email} />
      <PendingEmail />
      <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change email">
        <EmailField label="New email" autoComplete="email" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('currentPassword')} />
      </SettingsForm>
    </>
  )
}

/** Shown when the mail server rejects mail to the account's address. */
function BouncingEmail({ email }: { email: string }) {
  const isRefused = useQuery(emailChangeQuery).data?.isRefused
  const resuming = useAction(
    () => api.call(resumeMails),
    () => 'We’ll try your address again.',
    genericError,
  )
  if (!isRefused) return null

  return (
    <Stack gap={0.75} bottom={1.5} align="flex-start">
      <Alert kind="error">
        Emails to <strong>{email}</strong> are bouncing. Check the address and make sure your mailbox isn’t full. Course
        and note emails are paused.
      </Alert>
      <Button size="small" onClick={() => resuming.mutate()}>
        Try again
      </Button>
    </Stack>
  )
}

/** The new address until its link is opened. */
function PendingEmail() {
  const pending = useQuery(emailChangeQuery).data?.pending
  const cancelling = useAction(() => api.call(cancelEmailChange), null, genericError)
  if (!pending) return null

  return (
    <Stack gap={0.75} bottom={1.5} align="flex-start">
      <Alert kind="mail">
        Open the link we sent to <strong>{pending.email}</strong> before {formatMoment(pending.expiresAt)}. If you got
        more than one email, use the latest.
      </Alert>
      <Button size="small" onClick={() => cancelling.mutate()}>
        Cancel change
      </Button>
    </Stack>
  )
}
