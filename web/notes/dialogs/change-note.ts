import { useMutation } from '@tanstack/react-query'
import { type Note, type NoteEdit, note as noteSchema } from '../../../contract/notes.ts'
import { api } from '../../api/client.ts'
import { showSuccess } from '../../ui/toast.ts'
import { keepNotes, outdateFilteredLists } from '../cache/note-cache.ts'
import { removeNote } from '../cache/own-lists.ts'
import { showFailure } from '../failures.ts'

const updateFailure = 'Failed to update note. Please try again later.'
const deleteFailure = 'Failed to delete note. Please try again later.'

/** Saves what the owner changed. The server's copy replaces the note wherever it is shown. */
export function useEditNote(note: Note) {
  return useMutation({
    mutationFn: (edit: NoteEdit) => api.patch(`/api/users/me/notes/${note._id}`, edit, { answer: noteSchema }),
    onSuccess: (saved) => {
      keepNotes([saved])
      outdateFilteredLists()
      showSuccess('Note updated successfully!')
    },
    onError: (failure) => showFailure(failure, note._id, updateFailure),
  })
}

export function useDeleteNote(note: Note) {
  return useMutation({
    mutationFn: () => api.delete(`/api/users/me/notes/${note._id}`),
    onSuccess: () => {
      removeNote(note._id)
      showSuccess('Note deleted successfully.')
    },
    onError: (failure) => showFailure(failure, note._id, deleteFailure),
  })
}
