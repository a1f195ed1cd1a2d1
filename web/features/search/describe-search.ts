import { activeFilters, type FilterName, type NoteSearch } from './search-params.ts'

export const describers: Record<FilterName, (value: string) => string> = {
  title: (value) => `the title “${value}”`,
  courseCode: (value) => `the course ${value.toUpperCase()}`,
  academicYear: (value) => `the academic year ${value}`,
  instructor: (value) => `the instructor “${value}”`,
}

/** Describes a search: "the title “limits”, the course MAT137 and the academic year 2026–27". */
export function describeSearch(search: NoteSearch): string {
  const parts = activeFilters(search).map((name) => describers[name](search[name]))
  // A phrase already has quotes.
  if (search.text !== '') parts.unshift(/["“”„«»]/.test(search.text) ? search.text : `“${search.text}”`)
  const last = parts.pop()
  return parts.length === 0 ? (last ?? '') : `${parts.join(', ')} and ${last}`
}

/** The order in which filters are removed to find more, the least important for a student first. */
const wideningOrder: FilterName[] = ['academicYear', 'instructor', 'title', 'courseCode']

export type BroaderSearch = { dropped: FilterName; search: NoteSearch; label: string }

const wideningLabels: Record<FilterName, string> = {
  title: 'Search any title',
  courseCode: 'Search all courses',
  academicYear: 'Search all years',
  instructor: 'Search any instructor',
}

/** Returns searches without one filter each, best first. A single filter gives none, as the user can clear it. */
export function getBroaderSearches(search: NoteSearch): BroaderSearch[] {
  const active = activeFilters(search)
  if (active.length < 2 && search.text === '') return []
  return wideningOrder
    .filter((name) => active.includes(name))
    .map((name) => ({ dropped: name, search: { ...search, [name]: '' }, label: wideningLabels[name] }))
}
