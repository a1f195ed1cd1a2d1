import { type ReactNode, useRef, useState } from 'react'
import { suspendBehindNote, suspendMember } from '../../contract/members.endpoints.ts'
import type { NewNoteSuspension } from '../../contract/members.ts'
import type { Note } from '../../contract/notes.ts'
import { moderationMessages, statementLength } from '../../contract/statements.ts'
import { api } from '../api/client.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { type MemberDialogProps, OfMember } from './MemberDialog.tsx'
import { useAdminChange } from './use-admin-change.ts'

const lengths = [
  { value: '7', label: 'For a week' },
  { value: '30', label: 'For a month' },
  { value: '180', label: 'For half a year' },
  { value: '', label: 'Until it is lifted' },
]

export function SuspendDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const [hidesNotes, setHidesNotes] = useState(false)
  const suspending = useAdminChange(
    (grounds: NewNoteSuspension) =>
      api.call(suspendMember, { params: { id: member._id }, body: { ...grounds, hidesNotes } }),
    () => `${member.name} is suspended, and told why.`,
  )
  return (
    <GroundsDialog
      {...dialog}
      title={`Suspend ${member.name}`}
      description={
        <OfMember member={member}>
          They are logged out everywhere at once and cannot log in. They are mailed why, and read it when they try. You
          can lift it, and everything is as it was.
        </OfMember>
      }
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={(grounds) => suspending.mutate(grounds, { onSuccess: onClose })}
    >
      <Checkbox
        label="Hide what they share by name"
        hint="It comes back when the suspension ends. Notes without a name stay: if they went at the same moment, everybody could tell whose they are."
        checked={hidesNotes}
        onChange={({ target }) => setHidesNotes(target.checked)}
      />
    </GroundsDialog>
  )
}

export function SuspendBehindDialog({ note, open, onClose }: { note: Note; open: boolean; onClose: () => void }) {
  const suspending = useAdminChange(
    (body: NewNoteSuspension) => api.call(suspendBehindNote, { params: { id: note._id }, body }),
    () => 'Whoever shared it is suspended, and told why.',
  )
  return (
    <GroundsDialog
      title={`Suspend its author: ${note.title}`}
      description="Whoever shared this note is logged out everywhere at once, cannot log in, and is mailed why. You do not learn who it is, and no note is hidden: hide this one by itself if it breaks a rule. You can lift it on the page of administration."
      open={open}
      onClose={onClose}
      busy={suspending.isPending}
      onSubmit={(grounds) => suspending.mutate(grounds, { onSuccess: onClose })}
    />
  )
}

type GroundsDialogProps = {
  title: string
  description: ReactNode
  open: boolean
  finalFocus?: () => HTMLElement | true
  onClose: () => void
  busy: boolean
  onSubmit: (grounds: NewNoteSuspension) => void
  children?: ReactNode
}

/** For how long, and why. */
function GroundsDialog({ onClose, onSubmit, children, ...dialog }: GroundsDialogProps) {
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
