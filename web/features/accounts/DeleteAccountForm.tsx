import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { requestAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import type { AccountDeletion, NotesOnDeletion } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { session } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/ErrorState.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { Radio } from '../../platform/ui/Radio.tsx'
import { formatMoment } from '../notes/format.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { accountDeletionQuery } from './settings-queries.ts'
import { useCancelDeletion } from './use-cancel-deletion.ts'

const choices: { value: NotesOnDeletion; label: string; hint: string }[] = [
  {
    value: 'keep',
    label: 'My notes stay, without my name',
    hint: 'Their files are rewritten as those of anonymous notes are. A file that cannot be is deleted with its note.',
  },
  {
    value: 'remove',
    label: 'My notes are deleted, too',
    hint: 'Notes under your name go with your account. Anonymous notes go one by one, at random times over the following 30 days, so that they cannot be linked to you.',
  },
  {
    value: 'remove-now',
    label: 'All my notes are deleted at once',
    hint: 'Anonymous notes go at the same moment as those under your name, so anyone who compares can tell that they were yours.',
  },
]

const going: Record<NotesOnDeletion, string> = {
  keep: 'Your notes stay, without your name.',
  remove: 'Notes under your name are deleted with it, anonymous ones one by one over the following 30 days.',
  'remove-now': 'Your notes are deleted with it.',
}
const fates: Record<NotesOnDeletion, string> = {
  keep: 'your notes stay without your name',
  remove: 'the notes under your name with it. Your anonymous notes are deleted one by one over the following 30 days',
  'remove-now': 'all your notes with it. This reveals which anonymous notes were yours',
}

const onlyAdmin =
  'You are the only admin: nobody could manage accounts and settings here. Make somebody else an admin first. '

/** Requests the account's deletion, or shows the scheduled one. */
export function DeleteAccountForm() {
  const query = useQuery(accountDeletionQuery)
  if (query.data === undefined) {
    return (
      query.isLoadingError && <ErrorState title="There was an error fetching your account deletion." query={query} />
    )
  }
  const { leaving, isOnlyAdmin } = query.data
  return leaving ? <DeletionScheduled leaving={leaving} /> : <RequestDeletion isOnlyAdmin={isOnlyAdmin} />
}

function RequestDeletion({ isOnlyAdmin }: { isOnlyAdmin: boolean }) {
  const name = useId()
  const [notes, setNotes] = useState<NotesOnDeletion>('keep')
  const [isOpen, setOpen] = useState(false)

  async function ask(currentPassword: string) {
    const answer = await api.call(requestAccountDeletion, { body: { currentPassword, notes } })
    queryClient.setQueryData(accountDeletionQuery.queryKey, answer)
    session.changeUser({ leavesAt: answer.leaving?.at })
  }

  return (
    <>
      <Stack as="fieldset" gap={0.25} bottom={1.125}>
        <legend className="visually-hidden">Your notes</legend>
        {choices.map(({ value, label, hint }) => (
          <Radio
            key={value}
            {...{ name, value, label, hint }}
            checked={value === notes}
            onChange={() => setNotes(value)}
          />
        ))}
      </Stack>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Delete my account
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Delete your account?"
        description={`${isOnlyAdmin ? onlyAdmin : ''}In 7 days your account goes, and ${fates[notes]}. Until then you can log in and keep it.`}
        action="Delete in 7 days"
        isDangerous
        goesOnAt="leaving"
        onConfirm={ask}
      />
    </>
  )
}

function DeletionScheduled({ leaving: { at, notes } }: { leaving: AccountDeletion }) {
  const { isStaying, stayHere } = useCancelDeletion()
  return (
    <>
      <Text bottom={1.125} role="status">
        Your account will be deleted on <strong>{formatMoment(at)}</strong>. {going[notes]}
      </Text>
      <Button busy={isStaying} onClick={() => void stayHere()}>
        Keep my account
      </Button>
    </>
  )
}
