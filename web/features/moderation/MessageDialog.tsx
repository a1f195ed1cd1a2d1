import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { moderationMessages, statementLength } from '../../../packages/contract/moderation-limits.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { TextArea } from '../../platform/ui/fields.tsx'
import { fieldError, isConflict, showConflict } from './api-errors.ts'

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
    mutationFn: () => send(text),
    onSuccess: onClose,
    onError: (failure) => {
      showErrorToast(failure, showConflict(failure, 'Failed to send. Please try again later.'))
      if (isConflict(failure)) onClose()
    },
  })

  function submit() {
    if (text.trim() !== '') return sending.mutate()
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
