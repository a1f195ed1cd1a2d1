import { cutLine } from '../../../packages/contract/clean-text.ts'
import { searchTextLength } from '../../../packages/contract/limits.ts'
import { type FilterName, type SearchSortKey, searchSortKeys } from '../../../packages/contract/search.ts'
import { type FilterValues, filterNames, filters, filtersBy } from './filters.ts'

/** The search of a list of notes. */
export type NoteSearch = FilterValues & {
  /** The text of the full-text search box: words and phrases of the notes and of their pages. */
  text: string
  /** `relevance` is only valid with a text. */
  sortBy: SearchSortKey
  /** Spelling errors in the text are not corrected. */
  isExact: boolean
  /** Groups the user's own notes by course; this preference is not part of an address. */
  isGrouped: boolean
}

export const emptySearch: NoteSearch = {
  ...filtersBy(() => ''),
  text: '',
  sortBy: 'createdAt',
  isExact: false,
  isGrouped: false,
}

/**
 * Parses a search from an address. Addresses may be typed or truncated by a chat program, so invalid values are
 * ignored: text beyond the limits, an unknown academic year or sort order.
 */
export function parseSearch(params: URLSearchParams): NoteSearch {
  const text = params.get('q') ?? ''
  const asked = params.get('sortBy')
  return normalizeSearch({
    ...filtersBy((name) => params.get(name) ?? ''),
    text,
    sortBy: searchSortKeys.find((key) => key === asked) ?? defaultSort(text),
    isExact: params.get('exact') === 'true',
    isGrouped: false,
  })
}

/** Normalises a search, so that equal searches have one address and one cache entry. */
export function normalizeSearch(search: NoteSearch): NoteSearch {
  const text = cutLine(search.text, searchTextLength.max)
  return {
    ...filtersBy((name) => filters[name].clean(search[name])),
    text,
    sortBy: search.sortBy === 'relevance' ? defaultSort(text) : search.sortBy,
    isExact: search.isExact && text !== '',
    isGrouped: search.isGrouped,
  }
}

const defaultSort = (text: string): SearchSortKey => (text.trim() === '' ? 'createdAt' : 'relevance')

/** Returns the query of an address: only set values, and the sort order only if it is not the default. */
export function serializeSearch(search: NoteSearch): URLSearchParams {
  const params = new URLSearchParams()
  if (search.text !== '') params.set('q', search.text)
  for (const name of filterNames) if (search[name] !== '') params.set(name, search[name])
  if (search.isExact) params.set('exact', 'true')
  if (search.sortBy !== defaultSort(search.text)) params.set('sortBy', search.sortBy)
  return params
}

/** Returns the query of a list call. It equals that of the address, except that `q` becomes `text`. */
export function toApiQuery(search: NoteSearch): Record<string, string> {
  const { q, ...query } = Object.fromEntries(serializeSearch(search))
  if (q !== undefined) return { text: q, ...query }
  return search.isGrouped ? { ...query, groupBy: 'course' } : query
}

export const isSameSearch = (a: NoteSearch, b: NoteSearch): boolean =>
  a.text === b.text &&
  a.isExact === b.isExact &&
  a.sortBy === b.sortBy &&
  filterNames.every((name) => a[name] === b[name])

export const hasFilters = (search: NoteSearch): boolean => search.text !== '' || activeFilters(search).length > 0

export const activeFilters = (search: NoteSearch): FilterName[] => filterNames.filter((name) => search[name] !== '')

/** The labels of SPEC.md section 2, and one for full-text search. */
export const sortLabels: Record<SearchSortKey, string> = {
  relevance: 'Most Relevant',
  createdAt: 'Most Recent',
  likes: 'Most Liked',
}

/** Returns the options of a select field. */
export const sortOptions = <T extends SearchSortKey>(keys: readonly T[]) =>
  keys.map((key) => ({ value: key, label: sortLabels[key] }))
