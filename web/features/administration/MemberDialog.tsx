import type { ReactNode } from 'react'
import type { Member } from '../../../packages/contract/members.ts'
import type { OpenDialog } from '../../platform/ui/Dialog.tsx'

export type MemberDialogProps = OpenDialog & { member: Member; finalFocus: () => HTMLElement | true }

/** The dialog's text and the user's email, because names are not unique. */
export const MemberSummary = ({ member, children }: { member: Member; children: ReactNode }) => (
  <>
    <strong>{member.email}</strong>
    <br />
    {children}
  </>
)
