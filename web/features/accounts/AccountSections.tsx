import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { changePassword, getExport, requestExport } from '../../../packages/contract/settings.endpoints.ts'
import { passwordChange } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { PasswordField } from '../../platform/ui/fields.tsx'
import { Section, Stack } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { Alert } from '../auth/Alert.tsx'
import { genericError } from '../auth/form-errors.ts'
import { NewPasswordFields } from '../auth/NewPasswordFields.tsx'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { formatBytes, formatMoment } from '../notes/format.ts'
import { saveFrom } from '../notes/open-file/save-file.ts'
import { DeleteAccountForm } from './DeleteAccountForm.tsx'
import { SessionList } from './SessionList.tsx'
import { exportQuery } from './settings-queries.ts'

const fileName = 'lectern.zip'

function ExportPanel() {
  const query = useQuery({ ...exportQuery, refetchInterval: ({ state }) => waitingMs(state.data) })
  const { data: found } = query
  const requesting = useAction(
    async () => {
      const answer = await api.call(requestExport)
      queryClient.setQueryData(exportQuery.queryKey, answer.export)
    },
    () => 'We’re preparing your export. We’ll email you when it’s ready.',
    genericError,
  )
  /** The browser downloads the file itself, so that it shows progress and can resume. */
  const saving = useAction(
    async () => {
      const { export: found } = await api.call(getExport)
      queryClient.setQueryData(exportQuery.queryKey, found)
      if (found?.ready) saveFrom(found.ready.link, fileName)
    },
    null,
    genericError,
  )

  if (query.isLoadingError) return <ErrorState title="There was an error fetching your export." query={query} />
  return (
    <Stack gap={0.875} align="flex-start">
      {found?.ready && (
        <>
          <p>
            {fileName}, {formatBytes(found.ready.bytes)}. Available until {formatMoment(found.ready.expiresAt)}.
          </p>
          <Button variant="primary" icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
            Download export
          </Button>
        </>
      )}
      {found && !found.ready && (
        <Alert kind="mail">
          We’re preparing your export and will email you when it’s ready. You can leave this page.
        </Alert>
      )}
      {(!found || found.ready) && (
        <Button busy={requesting.isPending} onClick={() => requesting.mutate()}>
          {found ? 'Create new export' : 'Create export'}
        </Button>
      )}
    </Stack>
  )
}

const waitingMs = (found: { ready: unknown } | null | undefined) => (found && !found.ready ? 5_000 : false)

function PasswordForm({ email }: { email: string }) {
  const defaultValues = { currentPassword: '', password: '', confirmPassword: '' }
  const { form, submit, field, isSubmitting } = useApiForm(passwordChange, defaultValues, async (body, form) => {
    const { message } = await api.call(changePassword, { body })
    form.reset()
    showSuccess(message)
  })
  const typed = useWatch({ control: form.control, name: 'password' })

  return (
    <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change password">
      {/* Shows password managers which account the password belongs to. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label="Current Password" autoComplete="current-password" {...field('currentPassword')} />
      <NewPasswordFields label="New Password" typed={typed} field={field} />
    </SettingsForm>
  )
}

/** The sections of the settings, by the hash of their address. */
export const sections = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  passkeys: 'Passkeys',
  'two-factor': 'Two-factor authentication',
  sessions: 'Active sessions',
  theme: 'Theme',
  export: 'Export your data',
  leaving: 'Delete account',
}

type SettingsSectionProps = { id: keyof typeof sections; text: string; children: ReactNode }
export const SettingsSection = (props: SettingsSectionProps) => <Section {...props} title={sections[props.id]} />

// The settings that a suspended user keeps; `SuspendedPage` shows them, too.

export const PasswordSection = ({ email }: { email: string }) => (
  <SettingsSection id="password" text="Changing your password logs out your other devices. We’ll email you to confirm.">
    <PasswordForm email={email} />
  </SettingsSection>
)

export const SessionsSection = () => (
  <SettingsSection id="sessions" text="Don’t recognise a device? Log it out and change your password.">
    <SessionList />
  </SettingsSection>
)

export const ExportSection = () => (
  <SettingsSection id="export" text="Download your notes and account data as a ZIP file. We keep it for 3 days.">
    <ExportPanel />
  </SettingsSection>
)

export const DeleteAccountSection = () => (
  <SettingsSection id="leaving" text="We delete your account after 7 days. You can cancel any time before then.">
    <DeleteAccountForm />
  </SettingsSection>
)
