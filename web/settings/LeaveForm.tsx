import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { requestAccountDeletion } from '../../contract/settings.endpoints.ts'
import type { Leaving, NotesChoice } from '../../contract/settings.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { formatMoment } from '../notes/format.ts'
import { session } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { Radio } from '../ui/Radio.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import './leave-form.css'
import { leavingQuery } from './settings-queries.ts'
import { useStay } from './use-stay.ts'

const choices: { value: NotesChoice; label: string; hint: string }[] = [
  {
    value: 'keep',
    label: 'My notes stay, without my name',
    hint: 'Their files are rewritten as those of anonymous notes are. A file that cannot be is deleted with its note.',
  },
  {
    value: 'remove',
    label: 'My notes are deleted, too',
    hint: 'With their likes, for everybody. They go together: who watches for that can tell whose the anonymous ones were.',
  },
]

/** The end of an account, and the days to change one’s mind. */
export function LeaveForm() {
  const { data: leaving } = useQuery(leavingQuery)
  return leaving ? <Going leaving={leaving} /> : <Asking />
}

function Asking() {
  const name = useId()
  const [notes, setNotes] = useState<NotesChoice>('keep')
  const [isOpen, setOpen] = useState(false)

  async function ask(currentPassword: string) {
    const { leaving } = await api.call(requestAccountDeletion, { body: { currentPassword, notes } })
    queryClient.setQueryData(leavingQuery.queryKey, leaving)
    session.changeUser({ leavesAt: leaving?.at })
  }

  return (
    <>
      <fieldset className="leave-form-choices">
        <legend className="visually-hidden">Your notes</legend>
        {choices.map(({ value, label, hint }) => (
          <Radio
            key={value}
            {...{ name, value, label, hint }}
            checked={value === notes}
            onChange={() => setNotes(value)}
          />
        ))}
      </fieldset>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Delete your account?"
        description={
          notes === 'keep'
            ? 'In 7 days your account goes, and your notes stay without your name. Until then you can log in and keep it.'
            : 'In 7 days your account goes, and your notes with it. Until then you can log in and keep it.'
        }
        action="Delete in 7 days"
        isDangerous
        goesOnAt="leaving"
        onConfirm={ask}
      />
    </>
  )
}

function Going({ leaving: { at, notes } }: { leaving: Leaving }) {
  const { isStaying, stayHere } = useStay()
  return (
    <>
      <p className="leave-form-going" role="status">
        Your account will be deleted on <strong>{formatMoment(at)}</strong>.{' '}
        {notes === 'keep' ? 'Your notes stay, without your name.' : 'Your notes are deleted with it.'}
      </p>
      <Button busy={isStaying} onClick={() => void stayHere()}>
        Keep my account
      </Button>
    </>
  )
}
