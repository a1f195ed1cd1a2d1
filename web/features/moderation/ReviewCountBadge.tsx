import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../platform/api/query-client.ts'
import { formatCount } from '../notes/format.ts'
import { reviewCountQuery } from './moderation-queries.ts'

/** For moderators: how much waits for them. Nothing where nothing does. */
export function ReviewCountBadge() {
  // Named, since the navigation bar stands outside of the pages, which have theirs from around them.
  const { data: count = 0 } = useQuery({ ...reviewCountQuery, refetchInterval: 5 * 60_000 }, queryClient)
  if (count === 0) return null
  return (
    <span className="badge">
      {formatCount(count)}
      <span className="visually-hidden"> waiting for moderators</span>
    </span>
  )
}
