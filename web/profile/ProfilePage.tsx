import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Note } from '../../contract/notes.ts'
import type { User } from '../../contract/profile.ts'
import { CardGrid } from '../notes/CardGrid.tsx'
import { formatCount } from '../notes/format.ts'
import * as paths from '../paths.ts'
import { useSession } from '../session/store.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import './profile.css'
import { useFreshProfile } from './use-fresh-profile.ts'

/** SPEC.md section 2, "Profile screen". Its three ways out are the screen rule of the layout. */
export function Component() {
  const user = useSession((state) => state.user)
  const isSessionLoading = useSession((state) => state.isLoading)
  const isRefreshing = useFreshProfile()
  // Only for the blink between the end of a session and the login page.
  if (user === null) return <LoadingOverlay />
  const isLoading = isSessionLoading || isRefreshing
  return (
    <div className="page" aria-busy={isLoading}>
      {isLoading && <LoadingOverlay />}
      <ProfileHeader user={user} />
      <Shelf
        title="Recently Viewed"
        notes={user.recentlyViewedNotes}
        isBlocked={isLoading}
        empty={
          <EmptyState
            title="You haven’t viewed any notes yet."
            drawing="eye"
            action={<ButtonLink to={paths.browse()}>Browse notes</ButtonLink>}
          />
        }
      />
      <Shelf
        title="Liked Notes"
        notes={user.likedNotesDisplay}
        isBlocked={isLoading}
        empty={
          <EmptyState
            title="You haven’t liked any notes yet."
            drawing="heart"
            action={
              <ButtonLink to={paths.browse(new URLSearchParams({ sortBy: 'likes' }).toString())}>
                See what others like
              </ButtonLink>
            }
          />
        }
      >
        {user.likedNotes.length > user.likedNotesDisplay.length && (
          <ButtonLink variant="secondary" to={paths.likedNotes()} className="mt-8">
            All {user.likedNotes.length} liked notes
          </ButtonLink>
        )}
      </Shelf>
    </div>
  )
}

function ProfileHeader({ user }: { user: User }) {
  const initial = [...user.name.trim()][0]?.toUpperCase() ?? 'U'
  return (
    <header className="profile-header sheet">
      <span className="profile-initial" aria-hidden="true">
        {initial}
      </span>
      <div className="min-w-0">
        <h1 className="page-title">{user.name || 'User'}</h1>
        <p className="mt-1 break-words text-ink-soft">{user.email}</p>
      </div>
      <dl className="profile-counts">
        <div>
          <dt>Recently viewed</dt>
          <dd>{user.recentlyViewedNotes.length}</dd>
        </div>
        <div>
          <dt>Liked</dt>
          <dd>{formatCount(user.likedNotes.length)}</dd>
        </div>
        <div>
          <dt>Disliked</dt>
          <dd>{formatCount(user.dislikedNotes.length)}</dd>
        </div>
      </dl>
    </header>
  )
}

type ShelfProps = { title: string; notes: Note[]; isBlocked: boolean; empty: ReactNode; children?: ReactNode }

function Shelf({ title, notes, isBlocked, empty, children }: ShelfProps) {
  const id = title.toLowerCase().replace(' ', '-')
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-5 text-2xl">
        {title}
      </h2>
      {notes.length > 0 ? <CardGrid notes={notes} isBlocked={isBlocked} /> : empty}
      {children}
    </section>
  )
}

function LoadingOverlay() {
  return (
    <div className="loading-overlay" role="status">
      <div className="sheet flex items-center gap-3 px-5 py-4">
        <LoaderCircle aria-hidden="true" className="size-5 animate-spin" />
        Loading your profile…
      </div>
    </div>
  )
}
