import { useQuery } from '@tanstack/react-query'
import { endOtherSessions, endOwnSession } from '../../../packages/contract/settings.endpoints.ts'
import type { OwnSession } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/EmptyState.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { useDialog } from '../../platform/ui/use-dialog.ts'
import { formatMoment } from '../notes/format.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { sessionsQuery } from './settings-queries.ts'

const unknownDevice = 'Unknown device'

export function SessionList() {
  const query = useQuery(sessionsQuery)
  const { data: sessions } = query
  /** Without a session, all others are ended. */
  const [ending, show] = useDialog<{ session?: OwnSession }>()
  if (sessions === undefined) {
    return query.isLoadingError && <ErrorState title="There was an error fetching your sessions." query={query} />
  }

  async function end(currentPassword: string) {
    const body = { currentPassword }
    const session = ending?.session
    if (session) await api.call(endOwnSession, { params: { id: session._id }, body })
    else await api.call(endOtherSessions, { body })
    showSuccess(session ? 'Device logged out.' : 'All other devices logged out.')
  }

  return (
    <>
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session._id} session={session} onEnd={() => show({ session })} />
        ))}
      </ul>
      {sessions.length > 1 && <Button onClick={() => show({})}>Log out all other devices</Button>}
      {ending && (
        <ConfirmDialog
          {...ending}
          title={ending.session ? `Log out ${ending.session.device ?? unknownDevice}?` : 'Log out all other devices?'}
          description={`${ending.session ? 'It' : 'They'} will need to log in again. This device stays logged in.`}
          action="Log out"
          focusAfterConfirm="sessions"
          onConfirm={end}
        />
      )}
    </>
  )
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { device, startedAt, lastUsedAt, isCurrent } = session
  return (
    <Row as="li" justify="space-between" gap={[0.5, 1]}>
      <div>
        <Row as="p" align="baseline" gap={[0.25, 0.625]} isStrong>
          {device ?? unknownDevice}
          {isCurrent && <span className="tag">This device</span>}
        </Row>
        <Text tone="soft" size="small" isCount>
          Logged in <time dateTime={startedAt}>{formatMoment(startedAt)}</time>
          {!isCurrent && (
            <>
              , last used <time dateTime={lastUsedAt}>{formatMoment(lastUsedAt)}</time>
            </>
          )}
        </Text>
      </div>
      {!isCurrent && (
        <Button size="small" aria-label={`Log out ${device ?? unknownDevice}`} onClick={onEnd}>
          Log out
        </Button>
      )}
    </Row>
  )
}
