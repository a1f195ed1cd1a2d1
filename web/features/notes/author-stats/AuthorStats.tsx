import { useQuery } from '@tanstack/react-query'
import './author-stats.css'
import type { AuthorStats as Stats } from '../../../../packages/contract/author-stats.ts'
import { Row, Text } from '../../../platform/ui/layout.tsx'
import { formatCount, formatDate } from '../format.ts'
import { authorStatsQuery, describeHelp, describeUse } from './author-stats.ts'

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

/** Lists the newest week first. */
const WeeklyTable = ({ weeks }: Pick<Stats, 'weeks'>) => (
  <details className="weekly-table">
    <summary>Show weekly numbers</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Week of</th>
          <th scope="col">Opened</th>
          <th scope="col">Liked</th>
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map(({ week, opened, liked }) => (
          <tr key={week}>
            <th scope="row">{formatDate(week)}</th>
            <td>{formatCount(opened)}</td>
            <td>{formatCount(liked)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)

type Week = Stats['weeks'][number]

/** Sizes are in units of the SVG view box. */
const size = { week: 40, bar: 13, height: 72 }

/** Shows two bars per week. It is hidden from screen readers, because `WeeklyTable` has the same numbers. */
function WeeklyChart({ weeks }: { weeks: Week[] }) {
  const most = Math.max(1, ...weeks.flatMap(({ opened, liked }) => [opened, liked]))
  return (
    <figure className="weekly-chart" aria-hidden="true">
      <svg viewBox={`0 0 ${size.week * weeks.length} ${size.height}`} role="presentation">
        {weeks.map(({ week, opened, liked }, at) => (
          <g key={week} transform={`translate(${at * size.week} 0)`}>
            <Bar className="weekly-chart-opened" x={5} part={opened / most} />
            <Bar className="weekly-chart-liked" x={7 + size.bar} part={liked / most} />
          </g>
        ))}
        <path d={`M0 ${size.height - 0.5}H${size.week * weeks.length}`} className="weekly-chart-ground" />
      </svg>
      <Row
        as="figcaption"
        align="baseline"
        gap={[0, 0.75]}
        top={0.375}
        tone="soft"
        size="small"
        className="weekly-chart-key"
      >
        <span>Since {formatDate(weeks[0]?.week ?? '')}, by week</span>
        <span className="weekly-chart-name weekly-chart-opened-name">Opened</span>
        <span className="weekly-chart-name weekly-chart-liked-name">Liked</span>
      </Row>
    </figure>
  )
}

/** The minimum bar height as a share of the chart keeps a small non-zero count visible beside large ones. */
const leastPart = 0.04

function Bar({ className, x, part }: { className: string; x: number; part: number }) {
  if (part === 0) return null
  const height = Math.max(leastPart, part) * (size.height - 4)
  return <rect className={className} x={x} y={size.height - height} width={size.bar} height={height} rx="1.5" />
}
