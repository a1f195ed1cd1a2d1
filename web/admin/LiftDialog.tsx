import { liftSuspension } from '../../contract/members.endpoints.ts'
import { api } from '../api/client.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import type { MemberDialogProps } from './RoleDialog.tsx'
import { useAdminChange } from './use-admin-change.ts'

export function LiftDialog({ member, open, onClose }: MemberDialogProps) {
  const lifting = useAdminChange(
    (id: string) => api.call(liftSuspension, { params: { id } }),
    () => `${member.name} can log in again.`,
  )
  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title={`Lift the suspension of ${member.name}?`}
      description="They can log in again, and what was hidden with them is back. They are mailed."
      action="Lift suspension"
      busy={lifting.isPending}
      onSubmit={() => lifting.mutate(member._id, { onSuccess: onClose })}
    >
      {null}
    </FormDialog>
  )
}
