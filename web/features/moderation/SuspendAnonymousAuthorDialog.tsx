import { useMutation } from '@tanstack/react-query'
import { suspendNoteAuthor } from '../../../packages/contract/members.endpoints.ts'
import type { NewNoteSuspension } from '../../../packages/contract/members.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { api, getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showSuccess } from '../../platform/ui/toast.ts'
import { SuspensionDialog } from '../administration/SuspensionDialog.tsx'

export function SuspendAnonymousAuthorDialog({
  note,
  open,
  onClose,
}: {
  note: Note
  open: boolean
  onClose: () => void
}) {
  const suspending = useMutation({
    mutationFn: (body: NewNoteSuspension) => api.call(suspendNoteAuthor, { params: { id: note._id }, body }),
    onSuccess() {
      showSuccess('Whoever shared it is suspended, and told why.')
      onClose()
    },
    onError: (failure) =>
      showErrorToast(failure, getErrorMessage(failure, 'This could not be changed. Please try again later.')),
  })
  return (
    <SuspensionDialog
      title={`Suspend its author: ${note.title}`}
      description="Whoever shared this note is logged out everywhere at once, and mailed why. When they log in they can only take their notes along or leave. You do not learn who it is, and no note is hidden: hide this one by itself if it breaks a rule. You can lift it on the page of administration."
      open={open}
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={suspending.mutate}
    />
  )
}
