import { useInfiniteQuery } from '@tanstack/react-query'
import { ruleNames } from '../../../packages/contract/moderation-rules.ts'
import { queryClient } from '../../platform/api/query-client.ts'
import { EmptyState, ErrorState } from '../../platform/ui/EmptyState.tsx'
import { HiddenStatus, Row, Sheet, Stack, Text } from '../../platform/ui/layout.tsx'
import { describeShown, formatDate } from '../notes/format.ts'
import { LoadMore } from '../notes/list/LoadMore.tsx'
import { decisionTexts } from './decision-texts.ts'
import { decisionsQuery } from './moderation-queries.ts'

const fetchError = 'There was an error fetching the decisions. Please try again.'

/** The page itself retries requests that fail here. */
export async function loader(): Promise<void> {
  await queryClient.fetchInfiniteQuery(decisionsQuery).catch(() => {})
}

/** The public decisions with rule, reason and time, without moderators and notes. */
export function Component() {
  const list = useInfiniteQuery(decisionsQuery)
  const decisions = list.data?.pages.flatMap((page) => page.decisions) ?? []
  return (
    <Stack gap={0.75} maxWidth={48} className="page">
      <h1 className="page-title">Moderation log</h1>
      <Text tone="soft">Decisions on reported notes, and the reasons. Authors and reporters are never named.</Text>
      <HiddenStatus>{describeShown(decisions.length, list.hasNextPage, 'decision')}</HiddenStatus>
      {decisions.length > 0 ? (
        <Sheet as="ol" top={0.75} className="rows">
          {decisions.map(({ number, kind, rule, reason, decidedOn }) => (
            <li key={number}>
              <Row as="p" justify="space-between" gap={[0, 1]} isStrong>
                {decisionTexts[kind].outcome}: {ruleNames[rule]}
                <Text as="time" dateTime={decidedOn} tone="faint" size="medium" className="text-light">
                  {formatDate(decidedOn)}
                </Text>
                <span>No. {number}</span>
              </Row>
              <Text top={0.25} isWritten dir="auto">
                {reason}
              </Text>
            </li>
          ))}
        </Sheet>
      ) : list.isLoadingError ? (
        <ErrorState title={fetchError} query={list} />
      ) : (
        <EmptyState title="No decisions yet.">
          <p>To report a note, open it and choose Report from the menu.</p>
        </EmptyState>
      )}
      <LoadMore list={list} action="Load more decisions" error={fetchError} />
    </Stack>
  )
}
