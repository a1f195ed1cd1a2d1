import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { errors as apiErrors } from '../../../packages/contract/errors.ts'
import type { messages } from '../../../packages/contract/fields.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showError } from '../../platform/ui/toast.ts'

export const genericError = 'Something went wrong. Please try again later.'

// The type is the text: the contract's own constant would bring its schemas along.
const fillAllFields: typeof messages.fillAllFields = 'Please fill in all fields'

/** The one message a toast gives for a form: what is missing comes before what is wrong, then the fields' own order. */
export function firstMessage(errors: Record<string, { message?: string } | undefined>): string | undefined {
  const given = Object.values(errors).flatMap((error) => error?.message ?? [])
  return given.find((message) => message === fillAllFields) ?? given[0]
}

/** SPEC.md section 5: each rule's text stands at its field and is said as a toast. */
export function toastFirstError(errors: FieldErrors): void {
  const message = firstMessage(errors as Record<string, { message?: string }>)
  if (message !== undefined) showError(message)
}

/** What the server refused: at the fields it names, and as a toast. Returns the message. */
export function showFormError<T extends FieldValues>(
  form: Pick<UseFormReturn<T>, 'setError' | 'getValues'>,
  error: unknown,
  message = getErrorMessage(error, genericError),
): string {
  if (error instanceof ApiError) {
    const known = Object.entries(error.fields).filter(([name]) => name in form.getValues())
    for (const [index, [name, text]] of known.entries()) {
      form.setError(name as Path<T>, { message: text }, { shouldFocus: index === 0 })
    }
  }
  showErrorToast(error, message)
  return message
}

/** The message of a failed register or login as the session keeps it, unless it says nothing (SPEC.md section 8). */
export const displayMessage = (message: string): string =>
  message === apiErrors.unexpected.message ? genericError : message
