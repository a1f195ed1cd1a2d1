import { useMutation } from '@tanstack/react-query'
import { deleteNote, editNote } from '../../../../packages/contract/notes.endpoints.ts'
import type { Note, NoteEdit } from '../../../../packages/contract/notes.ts'
import { api } from '../../../platform/api/client.ts'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { keepWritten } from '../cache/note-cache.ts'
import { removeNote } from '../cache/user-lists.ts'
import { showFailure } from '../note-errors.ts'
import { detailsOf } from '../properties.ts'
import { writeNote } from '../write-note.ts'

const updateFailure = 'Failed to update note. Please try again later.'
const deleteFailure = 'Failed to delete note. Please try again later.'

/**
 * Saves the author's changes to a note; the server's copy replaces the cached note. Anonymity is always sent, so that
 * an edit based on an outdated value of it is reported as a conflict.
 */
export function useEditNote(note: Note) {
  return useMutation({
    mutationFn: (change: Partial<NoteEdit> & Pick<NoteEdit, 'isAnonymous'>) =>
      writeNote(note, change, (now) =>
        // The title is not sent unless it changed, so that a newer title stays.
        api.call(editNote, { params: { id: now._id }, body: { ...detailsOf(now), ...change }, ifMatch: now.version }),
      ),
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
