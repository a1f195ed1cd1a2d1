import type { SearchSortKey } from '../../../packages/contract/search.ts'

/** The labels of SPEC.md section 2, and one for full-text search. */
export const sortLabels: Record<SearchSortKey, string> = {
  relevance: 'Most Relevant',
  createdAt: 'Most Recent',
  likes: 'Most Liked',
}

/** Returns the options of a select field. */
export const sortOptions = <T extends SearchSortKey>(keys: readonly T[]) =>
  keys.map((key) => ({ value: key, label: sortLabels[key] }))
