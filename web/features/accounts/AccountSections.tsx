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
    text="Every other device will be logged out, and we mail you that it was changed."
  >
    <PasswordForm email={email} />
  </Section>
)

export const SessionsSection = () => (
  <Section
    id="sessions"
    title="Where you are logged in"
    text="Something you do not know? Log it out, and change your password."
  >
    <SessionList />
  </Section>
)

export const ExportSection = () => (
  <Section
    id="export"
    title="Take it along"
    text="Your notes as they are here and what Lectern knows of you, in one zip. It is kept for 3 days."
  >
    <ExportPanel />
  </Section>
)

export const DeleteAccountSection = () => (
  <Section
    id="leaving"
    title="Delete my account"
    text="It is deleted after 7 days, in which you can change your mind. Then your email is free to register anew."
  >
    <DeleteAccountForm />
  </Section>
)
