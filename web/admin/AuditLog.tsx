import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry } from '../../contract/members.ts'
import { formatMoment } from '../notes/format.ts'
import { LoadNextPage } from '../notes/list/LoadMore.tsx'
import { Icon } from '../ui/Icon.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { auditQuery } from './admin-queries.ts'
import './audit-log.css'
import { describeAccount, describeAct } from './describe-entry.ts'
import './admin-page.css'

const fetchError = 'There was an error fetching the log. Please try again.'

export function AuditLog() {
  const list = useInfiniteQuery(auditQuery)
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  if (list.isLoadingError) return <LoadFailed title={fetchError} query={list} />
  if (entries.length === 0) return <p className="admin-page-none">Nothing stands in it yet.</p>
  return (
    <>
      <ol className="audit-log">
        {entries.map((entry) => (
          <li key={entry.number}>
            <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
            <p>
              <Actor actor={entry.actor} /> {describeAct(entry)}
            </p>
          </li>
        ))}
      </ol>
      <LoadNextPage list={list} action="Load more entries" error={fetchError} />
    </>
  )
}

/** The command line looks as no account can, whatever it is called. */
const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) =>
  actor === null ? (
    <span className="audit-log-operator">
      <Icon name="square-terminal" />
      Command line
    </span>
  ) : (
    <>
      <bdi>{describeAccount(actor.name, actor.email)}</bdi>:
    </>
  )
