import type { NoteCount } from '../../../packages/contract/search.ts'
import { countOf } from '../notes/format.ts'
import { isSameSearch, type NoteSearch, normalizeSearch } from './search-params.ts'

const movable = ['title', 'courseCode', 'instructor'] as const
type Movable = (typeof movable)[number]

/** The same search with the text of one field in another one, or in the one box. */
export type Move = { to: Movable | 'text'; value: string; search: NoteSearch }

/** How many notes a move finds, as far as they were counted. */
export type AlternativeHits = Move & NoteCount

/**
 * What may have been meant by a text that stands in the wrong field: any of the three may hold a name or a code by
 * mistake. The one box is offered where nothing else is in doubt.
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
  // What is too long for the other field was not meant for it.
  return isSameSearch(moved, tidied) ? [{ to, value, search: tidied }] : []
}

const places: Record<Movable, (value: string) => string> = {
  title: (value) => `${value} in the title`,
  courseCode: (value) => `${value.toUpperCase()} as course`,
  instructor: (value) => `${value} as instructor`,
}

/** "17 notes", "More than 1,000 notes". */
export const describeCount = ({ count, isAll }: NoteCount): string =>
  `${isAll ? '' : 'More than '}${countOf(count, 'note')}`

/** "4 notes have Petrova as instructor". */
export function describeOtherHits({ to, value, count, isAll }: AlternativeHits): string {
  const notes = describeCount({ count, isAll })
  // The one box forgives typing errors, so that not each has the very word.
  if (to === 'text') return `${notes} found for ${value} inside the notes`
  return `${notes} ${count === 1 ? 'has' : 'have'} ${places[to](value)}`
}
