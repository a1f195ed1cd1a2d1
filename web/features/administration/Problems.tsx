import { useQuery } from '@tanstack/react-query'
import { Section } from '../../platform/ui/Section.tsx'
import { formatMoment } from '../notes/format.ts'
import { problemsQuery } from './admin-queries.ts'

/** The current problems that admins were emailed about. */
export function Problems() {
  const { data: problems = [] } = useQuery(problemsQuery)
  const text =
    problems.length > 0
      ? 'Admins get an email about each problem, and another when it’s resolved.'
      : 'Everything is working.'
  return (
    <Section id="attention" title="Needs attention" text={text}>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ kind, text, since }) => (
            <li key={kind}>
              {text} <time dateTime={since}>Since {formatMoment(since)}</time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
