import type { FilterName } from '../../../packages/contract/search.ts'
import { filters } from './filters.ts'
import { activeFilters, type NoteSearch } from './search-params.ts'

/** Describes a search: "the title “limits”, the course MAT137 and the academic year 2026–27". */
export function describeSearch(search: NoteSearch): string {
  const parts = activeFilters(search).map((name) => filters[name].describe(search[name]))
  // A phrase already has quotes.
  if (search.text !== '') parts.unshift(/["“”„«»]/.test(search.text) ? search.text : `“${search.text}”`)
  const last = parts.pop()
  return parts.length === 0 ? (last ?? '') : `${parts.join(', ')} and ${last}`
}

export type BroaderSearch = { dropped: FilterName; search: NoteSearch; label: string }

/** Returns searches without one filter each, best first. A single filter gives none, as the user can clear it. */
export function getBroaderSearches(search: NoteSearch): BroaderSearch[] {
  const active = activeFilters(search)
  if (active.length < 2 && search.text === '') return []
  return active
    .sort((a, b) => filters[a].wider.order - filters[b].wider.order)
    .map((name) => ({ dropped: name, search: { ...search, [name]: '' }, label: filters[name].wider.label }))
}
