import { useQuery } from '@tanstack/react-query'
import { describeHelp, describeUse } from './describe-sharing.ts'
import './sharing-facts.css'
import { sharingQuery } from './sharing-query.ts'
import { WeekBars } from './WeekBars.tsx'
import { WeekTable } from './WeekTable.tsx'

/** What came of one's notes: how many they helped, and week by week. Never who. Nothing where it cannot be had. */
export function SharingFacts() {
  const { data } = useQuery(sharingQuery)
  if (data === undefined) return null
  const hasWeeks = data.weeks.some(({ opened, liked }) => opened + liked > 0)
  return (
    <section aria-labelledby="sharing-facts" className="sheet sharing-facts">
      <div>
        <h2 id="sharing-facts" className="sharing-facts-help">
          {describeHelp(data)}
        </h2>
        <p className="sharing-facts-use">{describeUse(data)}</p>
      </div>
      {hasWeeks && (
        <div>
          <WeekBars weeks={data.weeks} />
          <WeekTable weeks={data.weeks} />
        </div>
      )}
    </section>
  )
}
