import { liftSuspension } from '../../../packages/contract/members.endpoints.ts'
import { api } from '../../platform/api/client.ts'
import { FormDialog } from '../../platform/ui/FormDialog.tsx'
import { type MemberDialogProps, MemberSummary } from './MemberDialog.tsx'
import { useAdminMutation } from './use-admin-mutation.ts'

export function LiftSuspensionDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const lifting = useAdminMutation(
    (id: string) => api.call(liftSuspension, { params: { id } }),
    () => `${member.name} is no longer suspended.`,
  )
  return (
    <FormDialog
      {...dialog}
      onOpenChange={onClose}
      title={`Lift the suspension for ${member.name}?`}
      description={
        <MemberSummary member={member}>
          They get full access again and their hidden notes come back. We’ll email them.
        </MemberSummary>
      }
      action="Lift suspension"
      busy={lifting.isPending}
      onSubmit={() => lifting.mutate(member._id, { onSuccess: onClose })}
    >
      {null}
    </FormDialog>
  )
}
