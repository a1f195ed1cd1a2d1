import { Section } from '../../platform/ui/Section.tsx'
import { DeleteAccountForm } from './DeleteAccountForm.tsx'
import { ExportPanel } from './ExportPanel.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SessionList } from './SessionList.tsx'

// The settings that a suspended user keeps; `SuspendedPage` shows them, too.

export const PasswordSection = ({ email }: { email: string }) => (
  <Section
    id="password"
    title="Password"
    text="Changing your password logs out your other devices. We’ll email you to confirm."
  >
    <PasswordForm email={email} />
  </Section>
)

export const SessionsSection = () => (
  <Section id="sessions" title="Active sessions" text="Don’t recognise a device? Log it out and change your password.">
    <SessionList />
  </Section>
)

export const ExportSection = () => (
  <Section
    id="export"
    title="Export your data"
    text="Download your notes and account data as a ZIP file. We keep it for 3 days."
  >
    <ExportPanel />
  </Section>
)

export const DeleteAccountSection = () => (
  <Section
    id="leaving"
    title="Delete account"
    text="We delete your account after 7 days. You can cancel any time before then."
  >
    <DeleteAccountForm />
  </Section>
)
