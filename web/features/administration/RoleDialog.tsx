import { useId, useState } from 'react'
import { changeRole } from '../../../packages/contract/members.endpoints.ts'
import { type Role, roles } from '../../../packages/contract/roles.ts'
import { api } from '../../platform/api/client.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { Radio } from '../../platform/ui/Radio.tsx'
import { type MemberDialogProps, MemberSummary } from './MemberDialog.tsx'
import { useAdminMutation } from './use-admin-mutation.ts'

const labels: Record<Role, [name: string, hint: string, inSentence: string]> = {
  student: ['Student', 'Reads and uploads notes.', 'a student'],
  moderator: ['Moderator', 'Also reviews reported notes and sees hidden ones.', 'a moderator'],
  admin: ['Admin', 'Also manages accounts and settings.', 'an admin'],
}

export function RoleDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const name = useId()
  const [role, setRole] = useState(member.role)
  const changing = useAdminMutation(
    (body: { role: Role }) => api.call(changeRole, { params: { id: member._id }, body }),
    () => `${member.name} is now ${labels[role][2]}.`,
  )
  return (
    <FormDialog
      {...dialog}
      onOpenChange={onClose}
      title={`Change role for ${member.name}`}
      description={<MemberSummary member={member}>Takes effect immediately. They aren’t notified.</MemberSummary>}
      action="Change role"
      busy={changing.isPending}
      onSubmit={() => changing.mutate({ role }, { onSuccess: onClose })}
    >
      <fieldset>
        <legend className="visually-hidden">Role</legend>
        {roles.map((each) => (
          <Radio
            key={each}
            name={name}
            label={labels[each][0]}
            hint={labels[each][1]}
            checked={each === role}
            onChange={() => setRole(each)}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}
