import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { errors as apiErrors } from '../../../packages/contract/errors.ts'
import type { messages } from '../../../packages/contract/fields.ts'
import { ApiError, getErrorMessage } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { showError } from '../../platform/ui/toast.ts'

export const genericError = 'Something went wrong. Please try again later.'

// A literal with the contract's type: an import of the contract would load its schemas, too.
const fillAllFields: typeof messages.fillAllFields = 'Please fill in all fields'

/** The one message for a form's toast: missing values come before invalid ones, then the order of the fields counts. */
export function firstMessage(errors: Record<string, { message?: string } | undefined>): string | undefined {
  const given = Object.values(errors).flatMap((error) => error?.message ?? [])
  return given.find((message) => message === fillAllFields) ?? given[0]
}

/** SPEC.md section 5: each rule's text is shown at its field and as a toast. */
export function toastFirstError(errors: FieldErrors): void {
  const message = firstMessage(errors as Record<string, { message?: string }>)
  if (message !== undefined) showError(message)
}

/** Shows the server's errors at their fields and as a toast. Returns the message. */
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

/** The session's message of a failed register or login; `genericError` for an unexpected one (SPEC.md section 8). */
export const displayMessage = (message: string): string =>
  message === apiErrors.unexpected.message ? genericError : message
