import { ApiError } from '../api/client.ts'

/** Whether a failure says that the note is no longer there, deleted by its owner since the list was loaded. */
export const isGone = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'note_not_found'
