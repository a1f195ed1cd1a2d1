import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { moderationMessages, statementLength } from '../../contract/statements.ts'
import { messageOf } from '../api/client.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
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
  const formId = useId()
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const [isLacking, setLacking] = useState(false)
  const sending = useMutation({
    mutationFn: () => send(text),
    onSuccess: onClose,
    onError: (failure) => showError(messageOf(failure, 'This could not be sent. Please try again later.')),
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && !sending.isPending && onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" disabled={sending.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={sending.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') sending.mutate()
          else {
            setLacking(true)
            input.current?.focus()
          }
        }}
      >
        <TextArea
          ref={input}
          label={label}
          hint={hint}
          maxLength={statementLength.max}
          value={text}
          disabled={sending.isPending}
          error={isLacking ? moderationMessages.statement : undefined}
          onChange={({ target }) => {
            setText(target.value)
            setLacking(false)
          }}
        />
      </form>
    </Dialog>
  )
}
