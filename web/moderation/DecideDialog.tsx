import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { decideOnNote } from '../../contract/moderation.endpoints.ts'
import type { DecisionKind, NewDecision } from '../../contract/moderation.ts'
import type { Note } from '../../contract/notes.ts'
import { type Rule, ruleNames, rules } from '../../contract/rules.ts'
import { moderationMessages, statementLength } from '../../contract/statements.ts'
import { api, messageOf } from '../api/client.ts'
import { useAcademicYears } from '../api/config.ts'
import { queryClient } from '../api/query-client.ts'
import { outdateFilteredLists } from '../notes/cache/note-cache.ts'
import { removeNote } from '../notes/cache/own-lists.ts'
import { CourseCodeField, InstructorField } from '../notes/DetailFields.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { showError, showSuccess } from '../ui/toast.ts'
import { decisionTexts } from './decision-texts.ts'

type DecideDialogProps = {
  note: Note
  kind: DecisionKind
  /** What it was reported or hidden for. */
  rule: Rule
  open: boolean
  onClose: () => void
  /** Where the focus goes when the note is gone from the list. */
  onDecided: () => void
}

/** What becomes of a note: what that does, by which rule, and why. */
export function DecideDialog({ note, kind, rule: given, open, onClose, onDecided }: DecideDialogProps) {
  const { action, explained } = decisionTexts[kind]
  const [rule, setRule] = useState(given)
  const [reason, setReason] = useState('')
  const reasonInput = useRef<HTMLTextAreaElement>(null)
  const [tags, setTags] = useState({
    courseCode: note.courseCode,
    academicYear: note.academicYear,
    instructor: note.instructor ?? '',
  })
  const [lacking, setLacking] = useState<string | undefined>()
  const years = useAcademicYears(note.academicYear)
  const deciding = useDecide(note, kind, onDecided)
  const change = (changed: Partial<typeof tags>) => setTags((before) => ({ ...before, ...changed }))

  function decide() {
    if (reason.trim() === '') {
      setLacking(moderationMessages.statement)
      reasonInput.current?.focus()
    } else deciding.mutate(kind === 'correct' ? { kind, rule, reason, ...tags } : { kind, rule, reason })
  }

  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title={`${action}: ${note.title}`}
      description={explained}
      action={action}
      isDangerous={kind === 'hide'}
      busy={deciding.isPending}
      onSubmit={decide}
    >
      {kind === 'correct' && (
        <>
          <CourseCodeField
            label="Course Code"
            value={tags.courseCode}
            onValueChange={(courseCode) => change({ courseCode })}
          />
          <SelectField
            label="Academic year"
            options={years.map((year) => ({ value: year, label: year }))}
            value={tags.academicYear}
            onChange={({ target }) => change({ academicYear: target.value })}
          />
          <InstructorField
            label="Instructor"
            value={tags.instructor}
            onValueChange={(instructor) => change({ instructor })}
          />
        </>
      )}
      <SelectField
        label="Rule"
        options={rules.map((value) => ({ value, label: ruleNames[value] }))}
        value={rule}
        onChange={({ target }) => setRule(target.value as Rule)}
      />
      <TextArea
        ref={reasonInput}
        label="Reason"
        hint="All members can read it: name nobody, and nothing that tells which note it is."
        maxLength={statementLength.max}
        value={reason}
        error={lacking}
        onChange={({ target }) => {
          setReason(target.value)
          setLacking(undefined)
        }}
      />
    </FormDialog>
  )
}

function useDecide(note: Note, kind: DecisionKind, onDecided: () => void) {
  return useMutation({
    mutationFn: (decision: NewDecision) => api.call(decideOnNote, { params: { id: note._id }, body: decision }),
    onSuccess: () => {
      showSuccess(decisionTexts[kind].done)
      if (kind === 'hide') removeNote(note._id)
      outdateFilteredLists()
      onDecided()
    },
    onError: (failure) => showError(messageOf(failure, 'This could not be decided. Please try again later.')),
    // Where another moderator was quicker, what waits is something else.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['moderation'] }),
  })
}
