import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { cleanText } from '../../../packages/contract/clean-text.ts'
import { moderationMessages, statementLength } from '../../../packages/contract/moderation-limits.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError } from '../../platform/api/client.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { TextArea } from '../../platform/ui/fields.tsx'
import { showError } from '../../platform/ui/toast.ts'

/** Whether the action is no longer possible: the case is decided, or the role or the note is gone. */
export const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && (failure.status === 404 || failure.status === 409)

export const showConflict = (failure: unknown, fallback: string): void =>
  failure instanceof ApiError && failure.code === 'not_found'
    ? showError('You’re no longer a moderator.')
    : showErrorToast(failure, fallback)

export const fieldError = (failure: unknown, field: string): string | undefined =>
  failure instanceof ApiError ? failure.fields[field] : undefined

export type MessageDialogProps = OpenDialog & {
  title: string
  description: ReactNode
  label: string
  hint: string
  action: string
  send: (text: string) => Promise<unknown>
}

export function MessageDialog({ open, onClose, title, description, label, hint, action, send }: MessageDialogProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const [isLacking, setLacking] = useState(false)
  const sending = useMutation({
    mutationFn: () => trackPending(send(text)),
    onSuccess: onClose,
    onError: (failure) => {
      showConflict(failure, 'Failed to send. Please try again later.')
      if (isConflict(failure)) onClose()
    },
  })

  function submit() {
    if (cleanText(text) !== '') return sending.mutate()
    setLacking(true)
    input.current?.focus()
  }

  return (
    <FormDialog {...{ open, onClose, title, description, action }} busy={sending.isPending} onSubmit={submit}>
      <TextArea
        ref={input}
        label={label}
        hint={hint}
        limit={statementLength.max}
        value={text}
        error={isLacking ? moderationMessages.statement : fieldError(sending.error, 'text')}
        onChange={({ target }) => {
          setText(target.value)
          sending.reset()
          setLacking(false)
        }}
      />
    </FormDialog>
  )
}
