import { suspendNoteAuthor } from '../../../packages/contract/members.endpoints.ts'
import type { NewNoteSuspension } from '../../../packages/contract/members.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { api } from '../../platform/api/client.ts'
import { SuspensionDialog } from '../administration/SuspensionDialog.tsx'
import { useAdminMutation } from '../administration/use-admin-mutation.ts'

export function SuspendAnonymousAuthorDialog({
  note,
  open,
  onClose,
}: {
  note: Note
  open: boolean
  onClose: () => void
}) {
  const suspending = useAdminMutation(
    (body: NewNoteSuspension) => api.call(suspendNoteAuthor, { params: { id: note._id }, body }),
    () => 'Whoever shared it is suspended, and told why.',
  )
  return (
    <SuspensionDialog
      title={`Suspend its author: ${note.title}`}
      description="Whoever shared this note is logged out everywhere at once, and mailed why. When they log in they can only take their notes along or leave. You do not learn who it is, and no note is hidden: hide this one by itself if it breaks a rule. You can lift it on the page of administration."
      open={open}
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={(body) => suspending.mutate(body, { onSuccess: onClose })}
    />
  )
}
