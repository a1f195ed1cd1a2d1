import { ApiError, getErrorMessage } from '../../platform/api/client.ts'

/** Whether the action is no longer possible: the case is decided, or the role or the note is gone. */
export const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.status === 404 || failure.status === 409)

export const showConflict = (failure: unknown, fallback: string): string =>
  failure instanceof ApiError && failure.code === 'not_found'
    ? 'You’re no longer a moderator.'
    : getErrorMessage(failure, fallback)

export const fieldError = (failure: unknown, field: string): string | undefined =>
  failure instanceof ApiError ? failure.fields[field] : undefined
