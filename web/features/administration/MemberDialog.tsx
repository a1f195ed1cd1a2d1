import type { ReactNode } from 'react'
import type { Member } from '../../../packages/contract/members.ts'

export type MemberDialogProps = {
  member: Member
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | true
}

/** What a dialog does, and to whom: namesakes differ by their e-mails. */
export const MemberSummary = ({ member, children }: { member: Member; children: ReactNode }) => (
  <>
    <strong>{member.email}</strong>
    <br />
    {children}
  </>
)
