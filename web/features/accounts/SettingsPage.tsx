import { Link, useLocation } from 'react-router'
import { changeName } from '../../../packages/contract/settings.endpoints.ts'
import { nameChange } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { ThemeChoices } from '../../platform/layout/ThemeChoices.tsx'
import { session, useSession } from '../../platform/session/store.ts'
import { headingOf } from '../../platform/ui/browser.ts'
import { TextField } from '../../platform/ui/fields.tsx'
import { Row, Stack } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { userListsQuery } from '../notes/cache/user-lists.ts'
import {
  DeleteAccountSection,
  ExportSection,
  PasswordSection,
  SessionsSection,
  SettingsSection,
  sections,
} from './AccountSections.tsx'
import { EmailForm } from './EmailForm.tsx'
import { PasskeyList } from './PasskeyList.tsx'
import {
  accountDeletionQuery,
  emailChangeQuery,
  exportQuery,
  passkeysQuery,
  sessionsQuery,
  twoFactorQuery,
} from './settings-queries.ts'
import { TwoFactorPanel } from './TwoFactorPanel.tsx'
import '../courses/course-page.css'
import './settings-page.css'

/** The page itself retries requests that fail here. */
export async function loader(): Promise<void> {
  await Promise.all([
    // The email may have been confirmed in another tab or on another device.
    queryClient.prefetchQuery({ ...userListsQuery, staleTime: 0 }),
    queryClient.prefetchQuery(emailChangeQuery),
    queryClient.prefetchQuery(exportQuery),
    queryClient.prefetchQuery(accountDeletionQuery),
    queryClient.prefetchQuery(passkeysQuery),
    queryClient.prefetchQuery(sessionsQuery),
    queryClient.prefetchQuery(twoFactorQuery),
  ])
}

export function Component() {
  const user = useSession((state) => state.user)
  // Reached only briefly between the end of a session and the login page.
  if (user === null) return null
  return (
    <Stack gap={1.5} maxWidth={84} className="page">
      <h1 className="page-title">Settings</h1>
      <div className="settings-page">
        <SectionList />
        <Stack gap={1.5}>
          <SettingsSection id="name" text="Shown on your notes. We remove it from the titles of anonymous ones.">
            <NameForm name={user.name} />
          </SettingsSection>
          <SettingsSection
            id="email"
            text="Used to log in. We’ll send a confirmation link to the new address and notify the old one."
          >
            <EmailForm email={user.email} />
          </SettingsSection>
          <PasswordSection email={user.email} />
          <SettingsSection
            id="passkeys"
            text="Log in with your fingerprint, face or PIN instead of a password. We email you when a passkey is added or removed."
          >
            <PasskeyList />
          </SettingsSection>
          <SettingsSection
            id="two-factor"
            text="Adds a code from an authenticator app to your password. Passkeys don’t need a code."
          >
            <TwoFactorPanel />
          </SettingsSection>
          <SessionsSection />
          <SettingsSection id="theme" text="Applies to this browser.">
            <Stack as="fieldset" gap={0} maxWidth={16}>
              <legend className="visually-hidden">Theme</legend>
              <ThemeChoices />
            </Stack>
          </SettingsSection>
          <ExportSection />
          <DeleteAccountSection />
        </Stack>
      </div>
    </Stack>
  )
}

function SectionList() {
  const { hash } = useLocation()
  return (
    <nav aria-label="Settings">
      <Row as="ul" gap={[0.5, 0.5]} className="settings-page-list">
        {Object.entries(sections).map(([id, title]) => (
          <li key={id}>
            <Link
              to={`#${id}`}
              className="choices-chip"
              aria-current={hash === `#${id}` ? 'location' : undefined}
              // The router only scrolls; Tab continues in the section.
              onClick={() => headingOf(id)?.focus({ preventScroll: true })}
            >
              {title}
            </Link>
          </li>
        ))}
      </Row>
    </nav>
  )
}

function NameForm({ name }: { name: string }) {
  const { submit, field, isSubmitting } = useApiForm(nameChange, { name }, async (body, form) => {
    const changed = await api.call(changeName, { body })
    session.changeUser(changed)
    form.reset(changed)
    showSuccess('Name changed.')
  })

  return (
    <SettingsForm onSubmit={submit} busy={isSubmitting} action="Change name">
      <TextField label="Name" autoComplete="name" {...field('name')} />
    </SettingsForm>
  )
}
