import { useState } from 'react'
import { suspendMember } from '../../../packages/contract/members.endpoints.ts'
import type { NewNoteSuspension } from '../../../packages/contract/members.ts'
import { api } from '../../platform/api/client.ts'
import { Checkbox } from '../../platform/ui/Checkbox.tsx'
import { type MemberDialogProps, MemberSummary } from './MemberDialog.tsx'
import { SuspensionDialog } from './SuspensionDialog.tsx'
import { useAdminMutation } from './use-admin-mutation.ts'

export function SuspendAccountDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const [hidesNotes, setHidesNotes] = useState(false)
  const suspending = useAdminMutation(
    (grounds: NewNoteSuspension) =>
      api.call(suspendMember, { params: { id: member._id }, body: { ...grounds, hidesNotes } }),
    () => `${member.name} has been suspended.`,
  )
  return (
    <SuspensionDialog
      {...dialog}
      title={`Suspend ${member.name}`}
      description={
        <MemberSummary member={member}>
          They’re logged out everywhere and emailed the reason. Until you lift the suspension, they can only export
          their data or delete their account.
        </MemberSummary>
      }
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={(grounds) => suspending.mutate(grounds, { onSuccess: onClose })}
    >
      <Checkbox
        label="Hide their notes"
        hint="The notes come back when the suspension ends. Anonymous notes stay visible, because hiding them now would reveal their author."
        checked={hidesNotes}
        onChange={({ target }) => setHidesNotes(target.checked)}
      />
    </SuspensionDialog>
  )
}
