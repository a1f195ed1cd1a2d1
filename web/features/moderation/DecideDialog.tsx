import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { cleanText } from '../../../packages/contract/clean-text.ts'
import { decideOnNote } from '../../../packages/contract/moderation.endpoints.ts'
import type { DecisionKind, NewDecision } from '../../../packages/contract/moderation.ts'
import { moderationMessages, statementLength } from '../../../packages/contract/moderation-limits.ts'
import { type Rule, ruleNames, rules } from '../../../packages/contract/moderation-rules.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { trackPending } from '../../platform/api/activity.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { isOutdated } from '../../platform/api/write-over.ts'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { SelectField, TextArea } from '../../platform/ui/fields.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { getCachedNote } from '../notes/cache/note-cache.ts'
import { removeNote } from '../notes/cache/user-lists.ts'
import { DetailField } from '../notes/DetailFields.tsx'
import { type Details, detailNames, detailsOf } from '../notes/properties.ts'
import { writeNote } from '../notes/write-note.ts'
import { decisionTexts } from './decision-texts.ts'
import { fieldError, isConflict, showConflict } from './MessageDialog.tsx'

type DecideDialogProps = OpenDialog & {
  note: Note
  kind: DecisionKind
  /** The rule that the note was reported or hidden for. */
  rule: Rule
  /** The number of open reports beside the dialog. */
  shownReports: number
  /** Moves the focus, because the note leaves the list. */
  onDecided: () => void
}

export function DecideDialog({ note, kind, rule: given, shownReports, open, onClose, onDecided }: DecideDialogProps) {
  const { action, explained, done } = decisionTexts[kind]
  const [rule, setRule] = useState(given)
  const [reason, setReason] = useState('')
  const reasonInput = useRef<HTMLTextAreaElement>(null)
  const [read, setRead] = useState(note)
  const [tags, setTags] = useState(detailsOf(note))
  const [validationError, setValidationError] = useState<string | undefined>()
  // Reports that arrive while the dialog is open count as read only after a failure has announced them.
  const [reportsAtFirst, setReportsAtFirst] = useState<number | null>(shownReports)
  const reportsRead = reportsAtFirst ?? shownReports
  const deciding = useMutation({
    mutationFn(decision: NewDecision) {
      const call = (ifMatch?: string) => api.call(decideOnNote, { params: { id: note._id }, body: decision, ifMatch })
      const isCorrection = decision.kind === 'correct'
      return trackPending(isCorrection ? writeNote(read, decision.details, ({ version }) => call(version)) : call())
    },
    onSuccess: () => {
      showSuccess(done)
      if (kind === 'hide') removeNote(note._id)
      onClose()
      onDecided()
    },
    onError: (failure) => {
      showConflict(failure, 'Failed to save the decision. Please try again later.')
      // The reason that was typed stays.
      if (failure instanceof ApiError && failure.code === 'new_reports') setReportsAtFirst(null)
      else if (isConflict(failure)) onClose()
    },
  })
  const change = (changed: Partial<Details>) => {
    setTags((before) => ({ ...before, ...changed }))
    deciding.reset()
  }
  function correct() {
    const before = detailsOf(read)
    const touched = Object.fromEntries(
      detailNames.filter((name) => tags[name] !== before[name]).map((name) => [name, tags[name]]),
    )
    deciding.mutate(
      { kind: 'correct', rule, reason, reportsRead, details: touched },
      {
        onError: (failure) => {
          const now = getCachedNote(note._id)
          if (!isOutdated(failure) || !now) return
          setRead(now)
          setTags({ ...detailsOf(now), ...touched })
        },
      },
    )
  }

  function decide() {
    if (cleanText(reason) === '') {
      setValidationError(moderationMessages.statement)
      reasonInput.current?.focus()
    } else if (kind === 'correct') correct()
    else if (kind === 'hide' || kind === 'keep') deciding.mutate({ kind, rule, reason, reportsRead })
    else deciding.mutate({ kind, rule, reason })
  }

  return (
    <FormDialog
      {...{ open, onClose }}
      title={`${action}: ${note.title}`}
      description={explained}
      action={action}
      isDangerous={kind === 'hide'}
      busy={deciding.isPending}
      onSubmit={decide}
    >
      {kind === 'correct' &&
        detailNames.map((name) => (
          <DetailField
            key={name}
            name={name}
            value={tags[name]}
            error={fieldError(deciding.error, name)}
            onValueChange={(value) => change({ [name]: value })}
          />
        ))}
      <SelectField
        label="Rule"
        options={rules.map((value) => ({ value, label: ruleNames[value] }))}
        value={rule}
        onChange={({ target }) => setRule(target.value as Rule)}
      />
      <TextArea
        ref={reasonInput}
        label="Reason"
        hint="Published in the moderation log. Don’t name anyone or identify the note."
        limit={statementLength.max}
        value={reason}
        error={validationError ?? fieldError(deciding.error, 'reason')}
        onChange={({ target }) => {
          setReason(target.value)
          deciding.reset()
          setValidationError(undefined)
        }}
      />
    </FormDialog>
  )
}
