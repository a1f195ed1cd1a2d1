import { useQuery } from '@tanstack/react-query'
import { describeHelp, describeUse } from './describe-author-stats.ts'
import './author-stats.css'
import { Row, Text } from '../../../platform/ui/layout.tsx'
import { authorStatsQuery } from './author-stats-query.ts'
import { WeeklyChart } from './WeeklyChart.tsx'
import { WeeklyTable } from './WeeklyTable.tsx'

/** Shows how many users the author's notes helped, never who they are. Renders nothing if this is unavailable. */
export function AuthorStats() {
  const { data } = useQuery(authorStatsQuery)
  if (data === undefined) return null
  const hasWeeks = data.weeks.some(({ opened, liked }) => opened + liked > 0)
  return (
    <Row
      as="section"
      gap={[1, 3]}
      top={1.5}
      align="start"
      aria-labelledby="author-stats-facts"
      className="sheet sheet-tight author-stats-facts"
    >
      <div>
        <h2 id="author-stats-facts">{describeHelp(data)}</h2>
        <Text tone="soft" top={0.25}>
          {describeUse(data)}
        </Text>
      </div>
      {hasWeeks && (
        <div>
          <WeeklyChart weeks={data.weeks} />
          <WeeklyTable weeks={data.weeks} />
        </div>
      )}
    </Row>
  )
}
