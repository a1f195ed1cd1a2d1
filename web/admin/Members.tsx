import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Member } from '../../contract/members.ts'
import { queryClient } from '../api/query-client.ts'
import { describeShown, formatDay } from '../notes/format.ts'
import { LoadNextPage } from '../notes/list/LoadMore.tsx'
import { useSession } from '../session/store.ts'
import { Button } from '../ui/Button.tsx'
import { headingOf } from '../ui/focus-heading.ts'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { TextField } from '../ui/TextField.tsx'
import { membersQuery } from './admin-queries.ts'
import { LiftDialog } from './LiftDialog.tsx'
import { QuotaDialog } from './QuotaDialog.tsx'
import { RoleDialog } from './RoleDialog.tsx'
import { SuspendDialog } from './SuspendDialog.tsx'
import './admin-page.css'

const fetchError = 'There was an error fetching the accounts.'

type What = 'role' | 'quota' | 'suspend' | 'lift'
type Shown = { member: Member; what: What; isOpen: boolean; turn: number }

const dialogs = { role: RoleDialog, quota: QuotaDialog, suspend: SuspendDialog, lift: LiftDialog }

/** Accounts that are looked for, and what can be done to each. */
export function Members() {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  const query = useInfiniteQuery(membersQuery(text))
  const members = query.data?.pages.flatMap((page) => page.members) ?? []
  const [shown, setShown] = useState<Shown | null>(null)
  const Dialog = shown && dialogs[shown.what]

  function search(event: FormEvent) {
    event.preventDefault()
    setText(typed.trim())
  }

  /** Who has no role, suspension or limit any more goes from the list, and the button that was pressed with them. */
  const isListed = ({ _id }: Member) =>
    queryClient
      .getQueryData(membersQuery(text).queryKey)
      ?.pages.some((page) => page.members.some((member) => member._id === _id))

  return (
    <>
      <form className="admin-page-form" onSubmit={search}>
        <TextField
          label="Name or email"
          hint="A part of it is enough. Without it: everybody with a role, a suspension or a limit of their own."
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" variant="secondary" busy={query.isFetching}>
          Find accounts
        </Button>
      </form>
      {query.isLoadingError ? (
        <LoadFailed title={fetchError} query={query} />
      ) : (
        <>
          <p role="status" className="visually-hidden">
            {query.data && describeShown(members.length, query.hasNextPage, 'account')}
          </p>
          <ul className="admin-page-rows">
            {members.map((member) => (
              <MemberRow
                key={member._id}
                member={member}
                onChoose={(what) =>
                  setShown((before) => ({ member, what, isOpen: true, turn: (before?.turn ?? 0) + 1 }))
                }
              />
            ))}
          </ul>
          {query.data && members.length === 0 && <p className="admin-page-none">Nobody is called so.</p>}
          <LoadNextPage list={query} action="Load more accounts" error={fetchError} rows=".admin-page-rows button" />
        </>
      )}
      {Dialog && (
        <Dialog
          key={shown.turn}
          member={shown.member}
          open={shown.isOpen}
          finalFocus={() => (isListed(shown.member) ? true : (headingOf('members') ?? true))}
          onClose={() => setShown({ ...shown, isOpen: false })}
        />
      )}
    </>
  )
}

const roleNames = { student: null, moderator: 'Moderator', admin: 'Admin' }

function MemberRow({ member, onChoose }: { member: Member; onChoose: (what: What) => void }) {
  const { _id, name, email, role, suspension, dailyUploadMb } = member
  const isOwn = useSession((state) => state.user?._id === _id)
  const action = (what: What, text: string) => (
    <Button variant="secondary" size="small" aria-label={`${text}: ${name}, ${email}`} onClick={() => onChoose(what)}>
      {text}
    </Button>
  )
  return (
    <li>
      <div>
        <p className="admin-page-row-title">
          <span dir="auto">{name}</span>
          {roleNames[role] && <span className="admin-page-tag">{roleNames[role]}</span>}
          {isOwn && <span className="admin-page-tag">You</span>}
        </p>
        <p className="admin-page-row-text">{email}</p>
        {dailyUploadMb !== undefined && (
          <p className="admin-page-row-text">May upload {dailyUploadMb} MB in 24 hours.</p>
        )}
        {suspension && (
          <p className="admin-page-row-text">
            Suspended {suspension.until ? `until ${formatDay(suspension.until)}` : 'until it is lifted'}:{' '}
            <span dir="auto">{suspension.reason}</span>
          </p>
        )}
      </div>
      <div className="admin-page-buttons">
        {!isOwn && action('role', 'Role')}
        {action('quota', 'Limit')}
        {!isOwn && (suspension ? action('lift', 'Lift suspension') : action('suspend', 'Suspend'))}
      </div>
    </li>
  )
}
