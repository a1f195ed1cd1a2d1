import type { AuthorStats } from '../../../../packages/contract/author-stats.ts'
import { formatCount, formatDate } from '../format.ts'
import './weekly-table.css'

/** Lists the newest week first. */
export function WeeklyTable({ weeks }: Pick<AuthorStats, 'weeks'>) {
  return (
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
}
