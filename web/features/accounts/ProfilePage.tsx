import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as paths from '../../platform/paths.ts'
import { type SessionUser, useSession } from '../../platform/session/store.ts'
import { ButtonLink, TextLink } from '../../platform/ui/Button.tsx'
import { EmptyState } from '../../platform/ui/EmptyState.tsx'
import { Icon, Initial } from '../../platform/ui/Icon.tsx'
import { Row, Stack, Text } from '../../platform/ui/layout.tsx'
import { ReviewCountBadge } from '../moderation/ReviewCountBadge.tsx'
import { authorStatsQuery, describeHelp, describeUse, preloadAuthorStats } from '../notes/author-stats/author-stats.ts'
import { ensureUserLists, type UserLists, useRefetchedUserLists, useUserLists } from '../notes/cache/user-lists.ts'
import { CardGrid } from '../notes/card/CardGrid.tsx'
import { formatCount } from '../notes/format.ts'
import './profile-page.css'

export async function loader(): Promise<void> {
  await Promise.all([ensureUserLists(), preloadAuthorStats()])
}

/** SPEC.md section 2, "Profile screen". The layout handles its three exits (screen rule). */
export function Component() {
  const user = useSession((state) => state.user)
  const isSessionLoading = useSession((state) => state.isLoading)
  const isRefreshing = useRefetchedUserLists()
  const lists = useUserLists((all) => all)
  // Reached only briefly between the end of a session and the login page.
  if (user === null || lists === undefined) return <LoadingOverlay />
  const isLoading = isSessionLoading || isRefreshing
  return (
    <div className="page" aria-busy={isLoading}>
      {isLoading && <LoadingOverlay />}
      <ProfileHeader user={user} lists={lists} />
      <Shelf
        title="Recently Viewed"
        noteIds={lists.recentlyViewedNotes}
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
        noteIds={lists.likedNotesDisplay}
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
        {lists.likedNotes.length > lists.likedNotesDisplay.length && (
          <Row top={0.75}>
            <ButtonLink variant="secondary" to={paths.likedNotes()}>
              All {lists.likedNotes.length} liked notes
            </ButtonLink>
          </Row>
        )}
      </Shelf>
    </div>
  )
}

function ProfileHeader({ user, lists }: { user: SessionUser; lists: UserLists }) {
  const counts: [name: string, notes: string[]][] = [
    ['Recently viewed', lists.recentlyViewedNotes],
    ['Liked', lists.likedNotes],
    ['Disliked', lists.dislikedNotes],
  ]
  return (
    <Row as="header" gap={[1, 1.5]} className="sheet sheet-padded">
      <Initial name={user.name} className="profile-page-initial" />
      <Text as="div">
        <h1 className="page-title">{user.name || 'User'}</h1>
        <Text tone="soft" top={0.25}>
          {user.email}
        </Text>
        <Row top={0.75}>
          <ButtonLink to={paths.settings()} variant="secondary" size="small" icon="settings">
            Settings
          </ButtonLink>
          {user.role && (
            <ButtonLink to={paths.moderation()} variant="secondary" size="small" icon="scale">
              Moderation
              <ReviewCountBadge />
            </ButtonLink>
          )}
          {user.role === 'admin' && (
            <ButtonLink to={paths.admin()} variant="secondary" size="small" icon="key-round">
              Admin
            </ButtonLink>
          )}
        </Row>
      </Text>
      <Row as="dl" gap={[0.75, 2]} className="profile-page-counts">
        {counts.map(([name, notes]) => (
          <div key={name}>
            <dt className="text-soft text-small">{name}</dt>
            <dd className="text-serif text-count">{formatCount(notes.length)}</dd>
          </div>
        ))}
      </Row>
      <AuthorStatsSection />
    </Row>
  )
}

/** A summary of the activity on the user's notes; My Notes shows it by week. Renders nothing without activity. */
function AuthorStatsSection() {
  const { data } = useQuery(authorStatsQuery)
  if (data === undefined || data.opened + data.liked + data.helped === 0) return null
  return (
    <p className="profile-page-sharing">
      <TextLink to={paths.myNotes()}>{describeHelp(data)}</TextLink>. {describeUse(data)}
    </p>
  )
}

type ShelfProps = { title: string; noteIds: string[]; isBlocked: boolean; empty: ReactNode; children?: ReactNode }

function Shelf({ title, noteIds, isBlocked, empty, children }: ShelfProps) {
  const id = title.toLowerCase().replace(' ', '-')
  return (
    <Stack as="section" gap={1.25} top={2.5} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {noteIds.length > 0 ? <CardGrid noteIds={noteIds} isBlocked={isBlocked} /> : empty}
      {children}
    </Stack>
  )
}

const LoadingOverlay = () => (
  <div className="profile-page-loading" role="status">
    <Row className="sheet sheet-tight">
      <Icon name="loader-circle" className="button-spinner" />
      Loading your profile…
    </Row>
  </div>
)
