import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { requestAccountDeletion } from '../../../packages/contract/settings.endpoints.ts'
import type { AccountDeletion, NotesOnDeletion } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { session } from '../../platform/session/store.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Radio } from '../../platform/ui/fields.tsx'
import { Stack, Text } from '../../platform/ui/layout.tsx'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { forgetUploads } from '../auth/log-out.ts'
import { formatMoment } from '../notes/format.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { useCancelDeletion } from './DeletionNotice.tsx'
import { accountDeletionQuery } from './settings-queries.ts'

const choices: { value: NotesOnDeletion; label: string; hint: string }[] = [
  {
    value: 'keep',
    label: 'Keep my notes, without my name',
    hint: 'We remove your name from the files, as for anonymous notes. Notes that can’t be anonymised are deleted.',
  },
  {
    value: 'remove',
    label: 'Delete my notes',
    hint: 'Notes with your name are deleted with your account. Anonymous notes are deleted one by one at random times over the following 30 days, so they can’t be linked to you.',
  },
  {
    value: 'remove-now',
    label: 'Delete all my notes immediately',
    hint: 'Anonymous notes disappear at the same moment as notes with your name, so anyone who compares can tell they were yours.',
  },
]

const going: Record<NotesOnDeletion, string> = {
  keep: 'Your notes stay, without your name.',
  remove: 'Notes with your name are deleted with it, anonymous notes one by one over the following 30 days.',
  'remove-now': 'All your notes are deleted with it.',
}
const fates: Record<NotesOnDeletion, string> = {
  keep: 'Your account will be deleted in 7 days. Your notes stay, without your name. Log in before then to cancel.',
  remove:
    'Your account and the notes with your name will be deleted in 7 days, and your anonymous notes one by one over the following 30 days. Log in before then to cancel.',
  'remove-now':
    'Your account and all your notes will be deleted in 7 days. This reveals which anonymous notes were yours. Log in before then to cancel.',
}

const onlyAdmin =
  'You’re the only admin. Make someone else an admin first, or nobody can manage accounts and settings. '

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
  const [dialog, show] = useDialog()

  async function ask(currentPassword: string) {
    const answer = await api.call(requestAccountDeletion, { body: { currentPassword, notes } })
    queryClient.setQueryData(accountDeletionQuery.queryKey, answer)
    session.changeUser({ leavesAt: answer.leaving?.at })
    const { user } = session.getState()
    // Kept files are not kept any longer than the account.
    if (user) await forgetUploads(user._id)
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
      <Button onClick={() => show({})}>Delete account</Button>
      {dialog && (
        <ConfirmDialog
          {...dialog}
          title="Delete your account?"
          description={`${isOnlyAdmin ? onlyAdmin : ''}${fates[notes]}`}
          action="Schedule deletion"
          isDangerous
          focusAfterConfirm="leaving"
          onConfirm={ask}
        />
      )}
    </>
  )
}

function DeletionScheduled({ leaving: { at, notes } }: { leaving: AccountDeletion }) {
  const cancelling = useCancelDeletion()
  return (
    <>
      <Text bottom={1.125} role="status">
        Your account will be deleted on <strong>{formatMoment(at)}</strong>. {going[notes]}
      </Text>
      <Button variant="primary" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
        Cancel deletion
      </Button>
    </>
  )
}
