import type { NoteCount } from '../../../packages/contract/search.ts'
import { countOf } from '../notes/format.ts'
import { isSameSearch, type NoteSearch, normalizeSearch } from './search-params.ts'

const movable = ['title', 'courseCode', 'instructor'] as const
type Movable = (typeof movable)[number]

/** The same search with the text of one field moved to another field or to the full-text search box. */
export type Move = { to: Movable | 'text'; value: string; search: NoteSearch }

/** The number of notes that a moved search finds, as far as they were counted. */
export type AlternativeHits = Move & NoteCount

/**
 * Returns searches for a text that may be in the wrong field: any of the three can contain a name or a code by mistake.
 * Full-text search is included only if no other field is set.
 */
export function getAlternativeSearches(search: NoteSearch, isWithBox: boolean): Move[] {
  const filled = movable.filter((name) => search[name] !== '')
  const free: Move['to'][] = movable.filter((name) => search[name] === '')
  if (isWithBox && search.text === '' && filled.length === 1) free.push('text')
  return filled.flatMap((from) => free.flatMap((to) => moveOf(search, from, to)))
}

function moveOf(search: NoteSearch, from: Movable, to: Move['to']): Move[] {
  const value = search[from]
  const sortBy = to === 'text' ? 'relevance' : search.sortBy
  const moved = { ...search, [from]: '', [to]: value, sortBy }
  const tidied = normalizeSearch(moved)
  // A text that is too long for the other field was not meant for it.
  return isSameSearch(moved, tidied) ? [{ to, value, search: tidied }] : []
}

const places: Record<Movable, (value: string) => string> = {
  title: (value) => `${value} in the title`,
  courseCode: (value) => `${value.toUpperCase()} as course`,
  instructor: (value) => `${value} as instructor`,
}

/** Returns "17 notes" or "More than 1,000 notes". */
export const describeCount = ({ count, isAll }: NoteCount): string =>
  `${isAll ? '' : 'More than '}${countOf(count, 'note')}`

/** Returns "4 notes have Petrova as instructor". */
export function describeOtherHits({ to, value, count, isAll }: AlternativeHits): string {
  const notes = describeCount({ count, isAll })
  // Full-text search accepts spelling errors, so a result may not contain the exact word.
  if (to === 'text') return `${notes} found for ${value} inside the notes`
  return `${notes} ${count === 1 ? 'has' : 'have'} ${places[to](value)}`
}
