import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEventHandler, type ReactNode, useEffect } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { $ZodType } from 'zod/v4/core'
import { trackPending } from '../../platform/api/activity.ts'
import { session } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { Stack } from '../../platform/ui/layout.tsx'
import { showFormError, toastFirstError } from './form-errors.ts'

/**
 * A form that checks its values with a schema of the contract and sends them. An invalid value and an error of the
 * server are shown at their fields and as a toast.
 * @param onError replaces `showFormError` for errors of `send`.
 */
export function useApiForm<Input extends FieldValues, Output>(
  schema: $ZodType<Output, Input>,
  defaultValues: NoInfer<DefaultValues<Input>>,
  send: (values: Output, form: UseFormReturn<Input, unknown, Output>) => Promise<unknown>,
  onError?: (error: unknown, form: UseFormReturn<Input, unknown, Output>) => unknown,
) {
  const form = useForm<Input, unknown, Output>({ resolver: zodResolver(schema), defaultValues })
  const { isSubmitting } = form.formState
  const errors = form.formState.errors as Record<string, { message?: string } | undefined>

  const submit = form.handleSubmit(async (values) => {
    try {
      await trackPending(send(values, form))
    } catch (error) {
      await (onError ?? ((failure) => showFormError(form, failure)))(error, form)
    }
  }, toastFirstError)

  /** The props that connect an input with its value and its error. */
  const field = (name: Path<Input>) => ({ ...form.register(name), error: errors[name]?.message })

  return { form, submit, field, isSubmitting }
}

/** What was typed into a form that was left without sending it, until the page is reloaded or the user changes. */
const drafts = new Map<string, FieldValues>()
let ownerId = session.getState().user?._id
session.subscribe(({ user, isError }, before) => {
  // After an expired session, the same user may return.
  const hasLoggedOut = user === null && before.user !== null && !isError
  const isOther = user !== null && ownerId !== undefined && user._id !== ownerId
  if (hasLoggedOut || isOther) drafts.clear()
  if (user) ownerId = user._id
})

/** Restores what was typed into a form when the user returns to its page. @param name unique among all forms. */
export function useDraft<Values extends FieldValues, Output>(
  name: string,
  form: UseFormReturn<Values, unknown, Output>,
): void {
  useEffect(() => {
    const draft = drafts.get(name)
    if (draft) form.reset(draft as Values, { keepDefaultValues: true })
    return form.subscribe({
      formState: { values: true },
      callback: ({ values }) => void drafts.set(name, { ...values }),
    })
  }, [name, form])
}

type FormProps = {
  onSubmit: FormEventHandler
  busy: boolean
  action: string
  children: ReactNode
}

/** The only form of its page. */
export const PageForm = ({ onSubmit, busy, action, children }: FormProps) => (
  <Stack as="form" gap={1.125} top={1.5} noValidate onSubmit={onSubmit}>
    {children}
    <Button type="submit" busy={busy}>
      {action}
    </Button>
  </Stack>
)

/** One of several forms of a page. */
export const SettingsForm = ({ onSubmit, busy, action, children }: FormProps) => (
  <Stack as="form" gap={1.125} align="flex-start" noValidate onSubmit={onSubmit}>
    {children}
    <Button type="submit" variant="secondary" busy={busy}>
      {action}
    </Button>
  </Stack>
)
