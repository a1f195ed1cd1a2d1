import type { ReactNode } from 'react'
import { Section } from '../../platform/ui/Section.tsx'
import { DeleteAccountForm } from './DeleteAccountForm.tsx'
import { ExportPanel } from './ExportPanel.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SessionList } from './SessionList.tsx'

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
