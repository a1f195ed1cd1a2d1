import type { SearchSortKey } from '../../../packages/contract/search.ts'

/** As the specification has them (SPEC.md section 2), and the one box's own. */
export const sortLabels: Record<SearchSortKey, string> = {
  relevance: 'Most Relevant',
  createdAt: 'Most Recent',
  likes: 'Most Liked',
}

/** For a field to choose from. */
export const sortOptions = <T extends SearchSortKey>(keys: readonly T[]) =>
  keys.map((key) => ({ value: key, label: sortLabels[key] }))
