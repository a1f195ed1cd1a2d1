import { useInfiniteQuery } from '@tanstack/react-query'
import { ruleNames } from '../../contract/rules.ts'
import { queryClient } from '../api/query-client.ts'
import { describeShown, formatDate } from '../notes/format.ts'
import { LoadNextPage } from '../notes/list/LoadMore.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LoadFailed } from '../ui/LoadFailed.tsx'
import { decisionTexts } from './decision-texts.ts'
import './decisions-page.css'
import { decisionsQuery } from './moderation-queries.ts'

const fetchError = 'There was an error fetching the decisions. Please try again.'

/** What cannot be had is asked for again on the page. */
export async function loader(): Promise<null> {
  await queryClient.fetchInfiniteQuery(decisionsQuery).catch(() => {})
  return null
}

/** What moderators decided: what, by which rule, why and when. Never who, and never of which note. */
export function Component() {
  const list = useInfiniteQuery(decisionsQuery)
  const decisions = list.data?.pages.flatMap((page) => page.decisions) ?? []
  return (
    <div className="page decisions-page">
      <h1 className="page-title">Decisions</h1>
      <p className="decisions-page-text">
        What the moderators of this library decided about notes that were reported, and why. Neither who wrote a note
        nor who reported it stands here.
      </p>
      <p role="status" className="visually-hidden">
        {describeShown(decisions.length, list.hasNextPage, 'decision')}
      </p>
      {decisions.length > 0 ? (
        <ol className="sheet decisions-page-list">
          {decisions.map(({ number, kind, rule, reason, decidedOn }) => (
            <li key={number}>
              <p className="decisions-page-head">
                {decisionTexts[kind].told}: {ruleNames[rule]}
                <time dateTime={decidedOn}>{formatDate(decidedOn)}</time>
                <span>No. {number}</span>
              </p>
              <p dir="auto" className="decisions-page-reason">
                {reason}
              </p>
            </li>
          ))}
        </ol>
      ) : list.isLoadingError ? (
        <LoadFailed title={fetchError} query={list} />
      ) : (
        <EmptyState title="Nothing has been decided yet.">
          <p>Something is wrong with a note? Report it from the reader’s menu.</p>
        </EmptyState>
      )}
      <LoadNextPage list={list} action="Load more decisions" error={fetchError} />
    </div>
  )
}
