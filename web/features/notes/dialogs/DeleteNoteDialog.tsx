import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { deleteNote } from '../../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { trackPending } from '../../../platform/api/activity.ts'
import { api } from '../../../platform/api/client.ts'
import { headingOf } from '../../../platform/ui/browser.ts'
import { FormDialog, type OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { Text } from '../../../platform/ui/layout.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { removeNote } from '../cache/user-lists.ts'
import { isDeleted, showFailure } from '../write-note.ts'

export function DeleteNoteDialog({ note, open, onClose }: OpenDialog & { note: Note }) {
  const deletion = useMutation({
    mutationFn: () => trackPending(api.call(deleteNote, { params: { id: note._id } })),
    onSuccess: () => {
      removeNote(note._id)
      showSuccess('Note deleted successfully.')
    },
    onError: (failure) => showFailure(failure, note._id, 'Failed to delete note. Please try again later.'),
  })
  const neighbour = useRef<string | null>(null)
  function remove() {
    const next = neighbourOf(note._id)
    deletion.mutate(undefined, {
      onSettled(_, failure) {
        if (failure !== null && !isDeleted(failure)) return
        neighbour.current = next
        onClose()
      },
    })
  }

  return (
    // Without fields, Cancel has the initial focus, so that a repeated key press deletes nothing.
    <FormDialog
      {...{ open, onClose }}
      title="Delete this note?"
      // The button that opened this dialog disappears with its note, so the focus moves to a neighbouring note.
      finalFocus={() => (neighbour.current === null ? true : cardToFocus(neighbour.current))}
      description="Are you sure you want to delete this note?"
      action="Delete"
      isDangerous
      busy={deletion.isPending}
      onSubmit={remove}
    >
      <Text size="large" isSerif dir="auto" className="quote">
        {note.title}
      </Text>
    </FormDialog>
  )
}

const openers = () => [...document.querySelectorAll<HTMLElement>('[data-note-open]')]

/** Returns the id of the next note, else of the previous one; empty if there is no other. */
function neighbourOf(noteId: string): string {
  const ids = openers().map((opener) => opener.dataset.noteOpen)
  const at = ids.indexOf(noteId)
  return ids[at + 1] ?? ids[at - 1] ?? ''
}

function cardToFocus(noteId: string): HTMLElement | true {
  // After the last note is deleted, the focus moves to the page's heading, as after a navigation.
  return openers().find((opener) => opener.dataset.noteOpen === noteId) ?? headingOf() ?? true
}
