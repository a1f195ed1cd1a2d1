import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../platform/api/query-client.ts'
import { formatCount } from '../notes/format.ts'
import { reviewCountQuery } from './moderation-queries.ts'

/** The number of pending cases, for moderators. Renders nothing for 0. */
export function ReviewCountBadge() {
  // Passed explicitly, because the navigation bar is outside the pages' `QueryProvider`.
  const { data: count = 0 } = useQuery({ ...reviewCountQuery, refetchInterval: 5 * 60_000 }, queryClient)
  if (count === 0) return null
  return (
    <span className="badge">
      {formatCount(count)}
      <span className="visually-hidden">{count === 1 ? ' note needs review' : ' notes need review'}</span>
    </span>
  )
}
