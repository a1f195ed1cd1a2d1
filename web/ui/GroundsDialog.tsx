import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import type { NewNoteSuspension } from '../../contract/members.ts'
import { moderationMessages, statementLength } from '../../contract/statements.ts'
import { FormDialog } from './FormDialog.tsx'
import { SelectField } from './SelectField.tsx'
import { TextArea } from './TextArea.tsx'

const lengths = [
  { value: '7', label: 'For a week' },
  { value: '30', label: 'For a month' },
  { value: '180', label: 'For half a year' },
  { value: '', label: 'Until it is lifted' },
]

type GroundsDialogProps = Pick<
  ComponentProps<typeof FormDialog>,
  'title' | 'description' | 'open' | 'finalFocus' | 'busy'
> & {
  onClose: () => void
  onSubmit: (grounds: NewNoteSuspension) => void
  children?: ReactNode
}

/** Suspends: for how long, and why. */
export function GroundsDialog({ onClose, onSubmit, children, ...dialog }: GroundsDialogProps) {
  const [days, setDays] = useState('7')
  const [reason, setReason] = useState('')
  const [isLacking, setLacking] = useState(false)
  const reasonInput = useRef<HTMLTextAreaElement>(null)

  function submit() {
    if (reason.trim() !== '') return onSubmit({ days: days === '' ? null : Number(days), reason })
    setLacking(true)
    reasonInput.current?.focus()
  }

  return (
    <FormDialog {...dialog} onOpenChange={onClose} action="Suspend" isDangerous onSubmit={submit}>
      <SelectField label="How long" options={lengths} value={days} onChange={({ target }) => setDays(target.value)} />
      <TextArea
        ref={reasonInput}
        label="Reason"
        hint="They read it, and so do admins. Name nobody."
        limit={statementLength.max}
        value={reason}
        error={isLacking ? moderationMessages.statement : undefined}
        onChange={({ target }) => {
          setReason(target.value)
          setLacking(false)
        }}
      />
      {children}
    </FormDialog>
  )
}
