import type { FilterName, NoteCount } from '../../../packages/contract/search.ts'
import { countOf } from '../notes/format.ts'
import { filterNames, filters } from './filters.ts'
import { isSameSearch, type NoteSearch, normalizeSearch } from './search-params.ts'

const movable = filterNames.filter((name) => filters[name].misplaced)

/** The same search with the text of one field moved to another field or to the full-text search box. */
export type Move = { to: FilterName | 'text'; value: string; search: NoteSearch }

/** The number of notes that a moved search finds, as far as they were counted. */
export type AlternativeHits = Move & NoteCount

/**
 * Returns searches for a text that may be in the wrong field: any text field can contain a name or a code by mistake.
 * Full-text search is included only if no other field is set.
 */
export function getAlternativeSearches(search: NoteSearch, isWithBox: boolean): Move[] {
  const filled = movable.filter((name) => search[name] !== '')
  const free: Move['to'][] = movable.filter((name) => search[name] === '')
  if (isWithBox && search.text === '' && filled.length === 1) free.push('text')
  return filled.flatMap((from) => free.flatMap((to) => moveOf(search, from, to)))
}

function moveOf(search: NoteSearch, from: FilterName, to: Move['to']): Move[] {
  const value = search[from]
  const sortBy = to === 'text' ? 'relevance' : search.sortBy
  const moved = { ...search, [from]: '', [to]: value, sortBy }
  const tidied = normalizeSearch(moved)
  // A text that is too long for the other field was not meant for it.
  return isSameSearch(moved, tidied) ? [{ to, value, search: tidied }] : []
}

/** Returns "17 notes" or "More than 1,000 notes". */
export const describeCount = ({ count, isAll }: NoteCount): string =>
  `${isAll ? '' : 'More than '}${countOf(count, 'note')}`

/** Returns "Show 4 notes by instructor Petrova". */
export function describeOtherHits({ to, value, count, isAll }: AlternativeHits): string {
  const hits = `${isAll ? '' : 'more than '}${countOf(count, to === 'text' ? 'result' : 'note')}`
  // Full-text search accepts spelling errors, so a result may not contain the exact word.
  return (to !== 'text' && filters[to].misplaced?.(hits, value)) || `Show ${hits} for ${value} in the text`
}
