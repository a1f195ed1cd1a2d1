import type { ReactNode } from 'react'
import type { Member } from '../../../packages/contract/members.ts'

export type MemberDialogProps = {
  member: Member
  open: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | true
}

/** The dialog's text and the user's email, because names are not unique. */
export const MemberSummary = ({ member, children }: { member: Member; children: ReactNode }) => (
  <>
    <strong>{member.email}</strong>
    <br />
    {children}
  </>
)
