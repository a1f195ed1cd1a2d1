import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry } from '../../../packages/contract/members.ts'
import { ErrorState } from '../../platform/ui/ErrorState.tsx'
import { Icon } from '../../platform/ui/Icon.tsx'
import { formatMoment } from '../notes/format.ts'
import { LoadNextPage } from '../notes/list/LoadMore.tsx'
import { auditQuery } from './admin-queries.ts'
import './audit-log.css'
import { Text } from '../../platform/ui/layout.tsx'
import { describeAccount, describeAuditEntry } from './describe-entry.ts'

const fetchError = 'There was an error fetching the audit log. Please try again.'

export function AuditLog() {
  const list = useInfiniteQuery(auditQuery)
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  if (list.isLoadingError) return <ErrorState title={fetchError} query={list} />
  if (entries.length === 0) return <Text tone="soft">No entries yet.</Text>
  return (
    <>
      <ol className="rows">
        {entries.map((entry) => (
          <Text as="li" key={entry.number}>
            <Text as="time" dateTime={entry.at} tone="faint" size="small" isCount>
              {formatMoment(entry.at)}
            </Text>
            <p>
              <Actor actor={entry.actor} /> {describeAuditEntry(entry)}
            </p>
          </Text>
        ))}
      </ol>
      <LoadNextPage list={list} action="Load more entries" error={fetchError} />
    </>
  )
}

/** Marks the command line so that no account name can imitate it. */
const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) =>
  actor === null ? (
    <span className="tag audit-log-operator">
      <Icon name="square-terminal" size={1} />
      Command line
    </span>
  ) : (
    <>
      <bdi>{describeAccount(actor.name, actor.email)}</bdi>:
    </>
  )
