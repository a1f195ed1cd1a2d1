import { useId, useState } from 'react'
import { changeRole } from '../../../packages/contract/members.endpoints.ts'
import { type Role, roles } from '../../../packages/contract/roles.ts'
import { api } from '../../platform/api/client.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { Radio } from '../../platform/ui/Radio.tsx'
import { type MemberDialogProps, MemberSummary } from './MemberDialog.tsx'
import { useAdminMutation } from './use-admin-mutation.ts'

const labels: Record<Role, [string, string]> = {
  student: ['Student', 'Shares and reads notes.'],
  moderator: ['Moderator', 'Decides on notes that were reported, and reads hidden ones.'],
  admin: ['Admin', 'Does all of that, and can do what you can on this page.'],
}

export function RoleDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const name = useId()
  const [role, setRole] = useState(member.role)
  const changing = useAdminMutation(
    (body: { role: Role }) => api.call(changeRole, { params: { id: member._id }, body }),
    () => `${member.name} is ${labels[role][0].toLowerCase()} now.`,
  )
  return (
    <FormDialog
      {...dialog}
      onOpenChange={onClose}
      title={`Role of ${member.name}`}
      description={
        <MemberSummary member={member}>At once, wherever they are logged in. They are not told.</MemberSummary>
      }
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
