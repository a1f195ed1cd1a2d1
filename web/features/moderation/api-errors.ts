import { ApiError, getErrorMessage } from '../../platform/api/client.ts'

/** Whether what was to be done cannot be done any more: somebody was quicker, or the role or the note is gone. */
export const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.status === 404 || failure.status === 409)

/** Why, in words for who was about to do it. */
export const explainFailure = (failure: unknown, fallback: string): string =>
  failure instanceof ApiError && failure.code === 'not_found'
    ? 'You are not a moderator any more.'
    : getErrorMessage(failure, fallback)

/** What is wrong with a field, as the server says. */
export const fieldError = (failure: unknown, field: string): string | undefined =>
  failure instanceof ApiError ? failure.fields[field] : undefined
