import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useDeleteNote } from './change-note.ts'
import { isGone } from './failures.ts'
import type { NoteDialogProps } from './use-note-dialogs.ts'

export function DeleteNoteDialog({ note, open, onOpenChange }: NoteDialogProps) {
  const deletion = useDeleteNote(note)
  const close = () => onOpenChange(false)
  const remove = () =>
    deletion.mutate(undefined, { onSuccess: close, onError: (failure) => isGone(failure) && close() })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !deletion.isPending && onOpenChange(next)}
      title="Delete this note?"
      description="Are you sure you want to delete this note?"
      footer={
        <>
          <Button variant="secondary" disabled={deletion.isPending} onClick={close}>
            Cancel
          </Button>
          <Button variant="danger" busy={deletion.isPending} onClick={remove}>
            Delete
          </Button>
        </>
      }
    >
      <p className="border-line border-l-4 pl-4 font-serif text-lg leading-snug">{note.title}</p>
    </Dialog>
  )
}
