import { suspendNoteAuthor } from '../../../packages/contract/members.endpoints.ts'
import type { NewNoteSuspension } from '../../../packages/contract/members.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { api } from '../../platform/api/client.ts'
import type { OpenDialog } from '../../platform/ui/Dialog.tsx'
import { SuspensionDialog } from '../administration/SuspensionDialog.tsx'
import { useAdminMutation } from '../administration/use-admin-mutation.ts'

export function SuspendAnonymousAuthorDialog({ note, open, onClose }: OpenDialog & { note: Note }) {
  const suspending = useAdminMutation(
    (body: NewNoteSuspension) => api.call(suspendNoteAuthor, { params: { id: note._id }, body }),
    () => 'Author suspended.',
  )
  return (
    <SuspensionDialog
      title={`Suspend the author of “${note.title}”`}
      description="The author is logged out everywhere and emailed the reason. You won’t see who they are. Their notes stay visible, so hide this one if it breaks the guidelines. You can lift the suspension on the Admin page."
      {...{ open, onClose }}
      busy={suspending.isPending}
      onSubmit={(body) => suspending.mutate(body, { onSuccess: onClose })}
    />
  )
}
