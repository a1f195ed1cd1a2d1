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
    () => `${member.name} is suspended, and told why.`,
  )
  return (
    <SuspensionDialog
      {...dialog}
      title={`Suspend ${member.name}`}
      description={
        <MemberSummary member={member}>
          They are logged out everywhere at once. When they log in they read why, and can only take their notes along or
          leave. They are mailed, too. You can lift it, and everything is as it was.
        </MemberSummary>
      }
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={(grounds) => suspending.mutate(grounds, { onSuccess: onClose })}
    >
      <Checkbox
        label="Hide what they share by name"
        hint="It comes back when the suspension ends. Notes without a name stay: if they went at the same moment, everybody could tell whose they are."
        checked={hidesNotes}
        onChange={({ target }) => setHidesNotes(target.checked)}
      />
    </SuspensionDialog>
  )
}
