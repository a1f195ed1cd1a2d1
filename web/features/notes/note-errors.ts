import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { removeNote } from './cache/user-lists.ts'

/** Whether a failure means that the note was deleted after the list was loaded. */
export const isDeleted = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'note_not_found'

/** Shows why a call about a note failed, and removes the note from every list if it was deleted. */
export function showFailure(failure: unknown, noteId: string, fallback: string): void {
  if (isDeleted(failure)) removeNote(noteId)
  showErrorToast(failure, getErrorMessage(failure, fallback))
}
