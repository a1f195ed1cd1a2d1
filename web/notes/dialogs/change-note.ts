import { useMutation } from '@tanstack/react-query'
import { deleteNote, editNote } from '../../../contract/notes.endpoints.ts'
import type { Note, NoteEdit } from '../../../contract/notes.ts'
import { api } from '../../api/client.ts'
import { showSuccess } from '../../ui/toast.ts'
import { keepWritten } from '../cache/note-cache.ts'
import { removeNote } from '../cache/own-lists.ts'
import { showFailure } from '../failures.ts'

const updateFailure = 'Failed to update note. Please try again later.'
const deleteFailure = 'Failed to delete note. Please try again later.'

/** Saves what the owner changed. The server's copy replaces the note wherever it is shown. */
export function useEditNote(note: Note) {
  return useMutation({
    mutationFn: (edit: NoteEdit) => api.call(editNote, { params: { id: note._id }, body: edit }),
    onSuccess: (saved) => {
      keepWritten(saved)
      showSuccess('Note updated successfully!')
    },
    onError: (failure) => showFailure(failure, note._id, updateFailure),
  })
}

export function useDeleteNote(note: Note) {
  return useMutation({
    mutationFn: () => api.call(deleteNote, { params: { id: note._id } }),
    onSuccess: () => {
      removeNote(note._id)
      showSuccess('Note deleted successfully.')
    },
    onError: (failure) => showFailure(failure, note._id, deleteFailure),
  })
}
