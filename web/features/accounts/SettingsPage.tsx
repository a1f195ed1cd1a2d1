import { queryClient } from '../../platform/api/query-client.ts'
import { ThemeChoices } from '../../platform/layout/ThemeChoices.tsx'
import { useSession } from '../../platform/session/store.ts'
import { Stack } from '../../platform/ui/layout.tsx'
import { Section } from '../../platform/ui/Section.tsx'
import { userListsQuery } from '../notes/cache/own-lists.ts'
import { DeleteAccountSection, ExportSection, PasswordSection, SessionsSection } from './AccountSections.tsx'
import { EmailForm } from './EmailForm.tsx'
import { NameForm } from './NameForm.tsx'
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

/** The page itself retries requests that fail here. */
export async function loader(): Promise<null> {
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
  return null
}

export function Component() {
  const user = useSession((state) => state.user)
  // Reached only briefly between the end of a session and the login page.
  if (user === null) return null
  return (
    <Stack gap={1.5} maxWidth={68} className="page">
      <h1 className="page-title">Settings</h1>
      <Section
        id="name"
        title="Name"
        text="Others see it on what you share by name. It is taken out of the titles of your anonymous notes."
      >
        <NameForm name={user.name} />
      </Section>
      <Section
        id="email"
        title="Email"
        text="You log in with it. It changes once you have opened a link at the new address; the old one is told."
      >
        <EmailForm email={user.email} />
      </Section>
      <PasswordSection email={user.email} />
      <Section
        id="passkeys"
        title="Passkeys"
        text="Log in with your fingerprint, face or PIN instead of the password. We mail you of each that is added or removed."
      >
        <PasskeyList />
      </Section>
      <Section
        id="two-factor"
        title={
          <>
            <span className="unbroken">Two-factor</span> login
          </>
        }
        text="After your password, a code from an app is asked for, so that the password alone opens nothing. A passkey needs no code."
      >
        <TwoFactorPanel />
      </Section>
      <SessionsSection />
      <Section id="theme" title="Theme" text="For this browser.">
        <Stack as="fieldset" gap={0} maxWidth={16}>
          <legend className="visually-hidden">Theme</legend>
          <ThemeChoices />
        </Stack>
      </Section>
      <ExportSection />
      <DeleteAccountSection />
    </Stack>
  )
}
