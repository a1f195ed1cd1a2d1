import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { moderationMessages, statementLength } from '../../contract/statements.ts'
import { messageOf } from '../api/client.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { showError } from '../ui/toast.ts'

export type StatementDialogProps = {
  open: boolean
  onClose: () => void
  title: string
  description: ReactNode
  label: string
  hint: string
  action: string
  send: (text: string) => Promise<unknown>
}

/** What moderators and authors write to each other. */
export function StatementDialog({
  open,
  onClose,
  title,
  description,
  label,
  hint,
  action,
  send,
}: StatementDialogProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const [isLacking, setLacking] = useState(false)
  const sending = useMutation({
    mutationFn: () => send(text),
    onSuccess: onClose,
    onError: (failure) => showError(messageOf(failure, 'This could not be sent. Please try again later.')),
  })

  function submit() {
    if (text.trim() !== '') return sending.mutate()
    setLacking(true)
    input.current?.focus()
  }

  return (
    <FormDialog
      {...{ open, title, description, action }}
      onOpenChange={onClose}
      busy={sending.isPending}
      onSubmit={submit}
    >
      <TextArea
        ref={input}
        label={label}
        hint={hint}
        maxLength={statementLength.max}
        value={text}
        error={isLacking ? moderationMessages.statement : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setLacking(false)
        }}
      />
    </FormDialog>
  )
}
