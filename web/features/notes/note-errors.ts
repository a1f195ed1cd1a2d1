import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { removeNote } from './cache/own-lists.ts'

/** Whether a failure says that the note is no longer there, deleted by its owner since the list was loaded. */
export const isGone = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'note_not_found'

/** Says what became of a call about a note, which goes out of every list where it is gone. */
export function showFailure(failure: unknown, noteId: string, fallback: string): void {
  if (isGone(failure)) removeNote(noteId)
  showErrorToast(failure, getErrorMessage(failure, fallback))
}
