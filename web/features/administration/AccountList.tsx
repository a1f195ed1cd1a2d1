import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { cleanLine } from '../../../packages/contract/clean-text.ts'
import { changeQuota, changeRole, liftSuspension, suspendMember } from '../../../packages/contract/members.endpoints.ts'
import { type Member, quotaForm, uploadQuotaMax } from '../../../packages/contract/members.ts'
import { type Role, roles } from '../../../packages/contract/roles.ts'
import { api } from '../../platform/api/client.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { useSession } from '../../platform/session/store.ts'
import { useAction } from '../../platform/session/use-action.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { headingOf } from '../../platform/ui/browser.ts'
import { FormDialog, type OpenDialog } from '../../platform/ui/Dialog.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Checkbox, Radio, TextField } from '../../platform/ui/fields.tsx'
import { HiddenStatus, Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { SettingsForm, useApiForm } from '../auth/use-api-form.tsx'
import { describeShown, formatDay } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { membersQuery, settingsQuery } from './admin-queries.ts'
import { SuspensionDialog } from './SuspensionDialog.tsx'

function SuspendAccountDialog({ member, ...dialog }: MemberDialogProps) {
  const [hidesNotes, setHidesNotes] = useState(false)
  return (
    <SuspensionDialog
      {...dialog}
      title={`Suspend ${member.name}`}
      send={(grounds) => api.call(suspendMember, { params: { id: member._id }, body: { ...grounds, hidesNotes } })}
      done={`${member.name} has been suspended.`}
    >
      <Checkbox
        label="Hide their notes"
        hint="The notes come back when the suspension ends. Anonymous notes stay visible, because hiding them now would reveal their author."
        checked={hidesNotes}
        onChange={({ target }) => setHidesNotes(target.checked)}
      />
    </SuspensionDialog>
  )
}

function LiftSuspensionDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const lifting = useAction(
    (id: string) => api.call(liftSuspension, { params: { id } }),
    () => `${member.name} is no longer suspended.`,
  )
  return (
    <FormDialog
      {...dialog}
      onClose={onClose}
      title={`Lift the suspension for ${member.name}?`}
      action="Lift suspension"
      busy={lifting.isPending}
      onSubmit={() => lifting.mutate(member._id, { onSuccess: onClose })}
    />
  )
}

const fetchError = 'There was an error fetching the accounts.'

const dialogs = {
  role: RoleDialog,
  quota: UploadLimitDialog,
  suspend: SuspendAccountDialog,
  lift: LiftSuspensionDialog,
}
type What = keyof typeof dialogs

const effects: Record<What, string> = {
  role: 'Takes effect immediately. They aren’t notified.',
  quota: 'How much they can upload per 24 hours. Applies from their next upload.',
  suspend:
    'They’re logged out everywhere and emailed the reason. Until you lift the suspension, they can only export their data or delete their account.',
  lift: 'They get full access again and their hidden notes come back. We’ll email them.',
}

export function AccountList() {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  const query = useInfiniteQuery(membersQuery(text))
  const members = query.data?.pages.flatMap((page) => page.members) ?? []
  const [shown, show] = useDialog<{ member: Member; what: What }>()
  const Dialog = shown && dialogs[shown.what]

  function search(event: FormEvent) {
    event.preventDefault()
    const wanted = cleanLine(typed)
    // Other admins may have changed the accounts since the last search.
    if (wanted === text) void query.refetch()
    else setText(wanted)
  }

  /** False when the change removed the user from the list, and the pressed button with it. */
  const isListed = ({ _id }: Member) =>
    queryClient
      .getQueryData(membersQuery(text).queryKey)
      ?.pages.some((page) => page.members.some((member) => member._id === _id))

  return (
    <>
      <SettingsForm onSubmit={search} busy={query.isFetching} action="Search accounts">
        <TextField
          label="Name or email"
          hint="Leave empty to list accounts with a role, a suspension or their own limit."
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </SettingsForm>
      {query.isLoadingError ? (
        <ErrorState title={fetchError} query={query} />
      ) : (
        <>
          <HiddenStatus>{query.data && describeShown(members.length, query.hasNextPage, 'account')}</HiddenStatus>
          <Stack as="ul" gap={0} top={0.5} className="rows">
            {members.map((member) => (
              <AccountRow key={member._id} member={member} onChoose={(what) => show({ member, what })} />
            ))}
          </Stack>
          {query.data && members.length === 0 && <Text tone="soft">No accounts found.</Text>}
          <LoadMore list={query} action="Load more accounts" error={fetchError} rows=".rows button" />
        </>
      )}
      {Dialog && (
        <Dialog
          {...shown}
          description={
            // Names are not unique.
            <>
              <strong>{shown.member.email}</strong>
              <br />
              {effects[shown.what]}
            </>
          }
          finalFocus={() => (isListed(shown.member) ? true : (headingOf('members') ?? true))}
        />
      )}
    </>
  )
}

const roleNames = { student: null, moderator: 'Moderator', admin: 'Admin' }

function AccountRow({ member, onChoose }: { member: Member; onChoose: (what: What) => void }) {
  const { _id, name, email, role, suspension, dailyUploadMb } = member
  const isOwn = useSession((state) => state.user?._id === _id)
  const action = (what: What, text: string) => (
    <Button size="small" aria-label={`${text}: ${name}, ${email}`} onClick={() => onChoose(what)}>
      {text}
    </Button>
  )
  return (
    <Row as="li" justify="space-between" gap={[0.5, 1]}>
      <div>
        <Row as="p" gap={[0, 0.5]} isStrong>
          <span dir="auto">{name}</span>
          {roleNames[role] && <span className="tag">{roleNames[role]}</span>}
          {isOwn && <span className="tag">You</span>}
        </Row>
        <Text tone="soft" size="medium">
          {email}
        </Text>
        {dailyUploadMb !== undefined && (
          <Text tone="soft" size="medium">
            Upload limit: {dailyUploadMb} MB per 24 hours.
          </Text>
        )}
        {suspension && (
          <Text tone="soft" size="medium">
            Suspended {suspension.until ? `until ${formatDay(suspension.until)}` : 'until lifted'}:{' '}
            <span dir="auto">{suspension.reason}</span>
          </Text>
        )}
      </div>
      <Row>
        {!isOwn && action('role', 'Change role')}
        {action('quota', 'Set limit')}
        {!isOwn && (suspension ? action('lift', 'Lift suspension') : action('suspend', 'Suspend'))}
      </Row>
    </Row>
  )
}

const labels: Record<Role, [name: string, hint: string, inSentence: string]> = {
  student: ['Student', 'Reads and uploads notes.', 'a student'],
  moderator: ['Moderator', 'Also reviews reported notes and sees hidden ones.', 'a moderator'],
  admin: ['Admin', 'Also manages accounts and settings.', 'an admin'],
}

function RoleDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const name = useId()
  const [role, setRole] = useState(member.role)
  const changing = useAction(
    (body: { role: Role }) => api.call(changeRole, { params: { id: member._id }, body }),
    () => `${member.name} is now ${labels[role][2]}.`,
  )
  return (
    <FormDialog
      {...dialog}
      onClose={onClose}
      title={`Change role for ${member.name}`}
      action="Change role"
      busy={changing.isPending}
      onSubmit={() => changing.mutate({ role }, { onSuccess: onClose })}
    >
      <fieldset>
        <legend className="visually-hidden">Role</legend>
        {roles.map((each) => (
          <Radio
            key={each}
            name={name}
            label={labels[each][0]}
            hint={labels[each][1]}
            checked={each === role}
            onChange={() => setRole(each)}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

function UploadLimitDialog({ member, onClose, ...dialog }: MemberDialogProps) {
  const max = useQuery(settingsQuery).data?.maxDailyUploadMb ?? uploadQuotaMax
  const changing = useAction(
    (body: { dailyUploadMb: number | null }) => api.call(changeQuota, { params: { id: member._id }, body }),
    () => `Upload limit for ${member.name} saved.`,
  )
  const defaultValues = { dailyUploadMb: String(member.dailyUploadMb ?? '') }
  const { submit, field } = useApiForm(quotaForm(max), defaultValues, async (change) =>
    changing.mutate(change, { onSuccess: onClose }),
  )

  return (
    <FormDialog
      {...dialog}
      onClose={onClose}
      title={`Upload limit for ${member.name}`}
      action="Save limit"
      busy={changing.isPending}
      onSubmit={() => void submit()}
    >
      <UploadLimitField hint={`Up to ${max}. Leave empty for the default.`} {...field('dailyUploadMb')} />
    </FormDialog>
  )
}

type MemberDialogProps = OpenDialog & { member: Member; description: ReactNode; finalFocus: () => HTMLElement | true }

export const UploadLimitField = (field: Partial<ComponentProps<typeof TextField>>) => (
  <TextField label="MB per 24 hours" inputMode="numeric" autoComplete="off" {...field} />
)
