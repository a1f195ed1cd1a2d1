import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions, endOwnSession } from '../../../packages/contract/settings.endpoints.ts'
import type { OwnSession } from '../../../packages/contract/settings.ts'
import { api } from '../../platform/api/client.ts'
import { Button } from '../../platform/ui/Button.tsx'
import { ErrorState } from '../../platform/ui/ErrorState.tsx'
import { Row, Text } from '../../platform/ui/layout.tsx'
import { showSuccess } from '../../platform/ui/toast.ts'
import { formatMoment } from '../notes/format.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { sessionsQuery } from './settings-queries.ts'

const unknownDevice = 'Unknown device'

/** The user's active sessions. */
export function SessionList() {
  const query = useQuery(sessionsQuery)
  const { data: sessions } = query
  /** The session to end, or all other sessions. */
  const [ending, setEnding] = useState<OwnSession | 'others' | null>(null)
  if (sessions === undefined) {
    return query.isLoadingError && <ErrorState title="There was an error fetching your sessions." query={query} />
  }

  async function end(currentPassword: string) {
    const body = { currentPassword }
    if (ending === 'others') await api.call(endOtherSessions, { body })
    else if (ending !== null) await api.call(endOwnSession, { params: { id: ending._id }, body })
    showSuccess(ending === 'others' ? 'All other devices logged out.' : 'Device logged out.')
  }

  return (
    <>
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session._id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button variant="secondary" onClick={() => setEnding('others')}>
          Log out all other devices
        </Button>
      )}
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={ending === 'others' ? 'Log out all other devices?' : `Log out ${ending?.device ?? unknownDevice}?`}
        description={
          ending === 'others'
            ? 'They will need to log in again. This device stays logged in.'
            : 'It will need to log in again. This device stays logged in.'
        }
        action="Log out"
        focusAfterConfirm="sessions"
        onConfirm={end}
      />
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
        <Button variant="secondary" size="small" aria-label={`Log out ${device ?? unknownDevice}`} onClick={onEnd}>
          Log out
        </Button>
      )}
    </Row>
  )
}
