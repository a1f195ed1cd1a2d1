import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { cleanText } from '../../../../packages/contract/clean-text.ts'
import { type Rule, ruleNames, rules } from '../../../../packages/contract/moderation-rules.ts'
import type { Note } from '../../../../packages/contract/notes.ts'
import { reportNote } from '../../../../packages/contract/reports.endpoints.ts'
import { reportLength, reportMessages } from '../../../../packages/contract/reports.ts'
import { trackPending } from '../../../platform/api/activity.ts'
import { ApiError, api } from '../../../platform/api/client.ts'
import { FormDialog, type OpenDialog } from '../../../platform/ui/Dialog.tsx'
import { Radio, TextArea } from '../../../platform/ui/fields.tsx'
import { Stack, Text } from '../../../platform/ui/layout.tsx'
import { showSuccess } from '../../../platform/ui/toast.ts'
import { isDeleted, showFailure } from '../../notes/write-note.ts'

const reportFailure = 'Failed to report note. Please try again later.'

const hints: Record<Rule, string> = {
  copyright: 'Copied from a book, lecture notes or someone else’s work.',
  personal_data: 'Shows people’s names, grades or addresses.',
  exam: 'An exam that isn’t public.',
  wrong_course: 'Wrong course, year or instructor.',
  offence: 'Advertising, insults or threats.',
  other: 'Tell us below.',
}

export function ReportDialog({ note, open, onClose }: OpenDialog & { note: Note }) {
  const name = useId()
  const [rule, setRule] = useState<Rule | null>(null)
  const [text, setText] = useState('')
  const [lacks, setLacks] = useState<'rule' | 'text' | null>(null)
  const firstRule = useRef<HTMLInputElement>(null)
  const textInput = useRef<HTMLTextAreaElement>(null)
  const sending = useMutation({
    mutationFn: (chosen: Rule) =>
      trackPending(api.call(reportNote, { params: { id: note._id }, body: { rule: chosen, text } })),
    onSuccess: () => {
      showSuccess('Thanks. The moderators will review it.')
      onClose()
    },
    onError: (failure) => {
      const isTold = failure instanceof ApiError && failure.code === 'already_reported'
      if (isTold) showSuccess(failure.message)
      else showFailure(failure, note._id, reportFailure)
      if (isTold || isDeleted(failure)) onClose()
    },
  })

  function send() {
    if (rule === null) {
      setLacks('rule')
      firstRule.current?.focus()
    } else if (rule === 'other' && cleanText(text) === '') {
      setLacks('text')
      textInput.current?.focus()
    } else sending.mutate(rule)
  }

  return (
    <FormDialog
      {...{ open, onClose }}
      title="Report note"
      description={note.title}
      action="Send report"
      busy={sending.isPending}
      onSubmit={send}
    >
      <Stack as="fieldset" gap={0.25} aria-describedby={lacks === 'rule' ? `${name}-error` : undefined}>
        <legend className="field-label">What’s wrong with this note?</legend>
        {rules.map((each, at) => (
          <Radio
            key={each}
            ref={at === 0 ? firstRule : undefined}
            name={name}
            label={ruleNames[each]}
            hint={hints[each]}
            checked={each === rule}
            onChange={() => {
              setRule(each)
              setLacks(null)
            }}
          />
        ))}
      </Stack>
      {lacks === 'rule' && (
        <Text tone="danger" size="small" id={`${name}-error`} role="alert">
          Choose a reason.
        </Text>
      )}
      <TextArea
        ref={textInput}
        label="Details for the moderators"
        optional={rule !== 'other'}
        hint="Nobody will see that you reported it."
        limit={reportLength.max}
        value={text}
        error={lacks === 'text' ? reportMessages.text : undefined}
        onChange={({ target }) => {
          setText(target.value)
          setLacks(null)
        }}
      />
    </FormDialog>
  )
}
