import { SheetSection } from '../../platform/ui/Section.tsx'
import { LeaveForm } from './DeleteAccountForm.tsx'
import { ExportBox } from './ExportPanel.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SessionList } from './SessionList.tsx'

// Of the settings, what whoever is suspended keeps, on a page of their own.

export const PasswordSection = ({ email }: { email: string }) => (
  <SheetSection
    id="password"
    title="Password"
    text="Every other device will be logged out, and we mail you that it was changed."
  >
    <PasswordForm email={email} />
  </SheetSection>
)

export const SessionsSection = () => (
  <SheetSection
    id="sessions"
    title="Where you are logged in"
    text="Something you do not know? Log it out, and change your password."
  >
    <SessionList />
  </SheetSection>
)

export const ExportSection = () => (
  <SheetSection
    id="export"
    title="Take it along"
    text="Your notes as they are here and what Lectern knows of you, in one zip. It is kept for 3 days."
  >
    <ExportBox />
  </SheetSection>
)

export const LeavingSection = () => (
  <SheetSection
    id="leaving"
    title="Delete my account"
    text="It is deleted after 7 days, in which you can change your mind. Then your email is free to register anew."
  >
    <LeaveForm />
  </SheetSection>
)
