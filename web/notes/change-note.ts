import { useMutation } from '@tanstack/react-query'
import { deleteNote, editNote } from '../../contract/notes.endpoints.ts'
import type { Note, NoteEdit } from '../../contract/notes.ts'
import { api, messageOf } from '../api/client.ts'
import { session } from '../session/store.ts'
import { showError, showSuccess } from '../ui/toast.ts'
import { changeNoteEverywhere, outdateFilteredLists, removeNoteEverywhere } from './every-list.ts'
import { isGone } from './failures.ts'

const updateFailure = 'Failed to update note. Please try again later.'
const deleteFailure = 'Failed to delete note. Please try again later.'

/** Saves what the owner changed. The server's copy replaces the note wherever it is shown. */
export function useEditNote(note: Note) {
  return useMutation({
    mutationFn: (edit: NoteEdit) => api.call(editNote, { params: { id: note._id }, body: edit }),
    onSuccess: (saved) => {
      changeNoteEverywhere(note._id, () => saved)
      outdateFilteredLists()
      showSuccess('Note updated successfully!')
    },
    onError: (failure) => showFailure(failure, note, updateFailure),
  })
}

export function useDeleteNote(note: Note) {
  return useMutation({
    mutationFn: () => api.call(deleteNote, { params: { id: note._id } }),
    onSuccess: () => {
      removeNoteEverywhere(note._id)
      showSuccess('Note deleted successfully.')
    },
    onError: (failure) => showFailure(failure, note, deleteFailure),
  })
}

function showFailure(failure: unknown, note: Note, fallback: string): void {
  if (isGone(failure)) removeNoteEverywhere(note._id)
  // Where the session ended on the way, its own message says so.
  if (session.getState().user !== null) showError(messageOf(failure, fallback))
}
