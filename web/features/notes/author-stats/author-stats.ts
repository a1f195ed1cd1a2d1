import { queryOptions } from '@tanstack/react-query'
import { getAuthorStats } from '../../../../packages/contract/author-stats.endpoints.ts'
import type { AuthorStats } from '../../../../packages/contract/author-stats.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { formatCount } from '../format.ts'

export const authorStatsQuery = queryOptions({
  queryKey: ['sharing'],
  queryFn: ({ signal }) => api.call(getAuthorStats, { signal }),
  retryOnMount: false,
})

/** Loaders await this to avoid a layout shift. It never rejects, because the page is complete without it. */
export const preloadAuthorStats = () => queryClient.prefetchQuery(authorStatsQuery)

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${formatCount(count)} times`)

/** Returns "Your notes helped 41 people". Deleted users are no longer counted, but their opens are. */
export function describeHelp({ helped, opened, liked }: AuthorStats): string {
  if (helped > 0) return `Your notes helped ${helped === 1 ? '1 person' : `${formatCount(helped)} people`}`
  return opened + liked > 0 ? 'Your notes have been read' : 'No readers yet'
}

/** Returns for example "Opened 230 times, liked 57 times." */
export function describeUse({ opened, liked }: AuthorStats): string {
  if (opened + liked === 0) return 'You’ll see how many people your notes help, but never who.'
  const parts = [opened > 0 && `opened ${times(opened)}`, liked > 0 && `liked ${times(liked)}`]
    .filter(Boolean)
    .join(', ')
  return `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`
}
