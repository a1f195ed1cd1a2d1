import { academicYear, unsafeCharacters } from '../../../contract/fields.ts'
import { courseCodeLength, instructorLength, titleLength } from '../../../contract/limits.ts'
import type { SortKey } from '../../../contract/search.ts'

/** What a list of notes was asked for. An empty text is a filter that is not set. */
export type NoteSearch = {
  title: string
  courseCode: string
  academicYear: string
  instructor: string
  sortBy: SortKey
}

export const emptySearch: NoteSearch = {
  title: '',
  courseCode: '',
  academicYear: '',
  instructor: '',
  sortBy: 'createdAt',
}

export const filterNames = ['title', 'courseCode', 'academicYear', 'instructor'] as const
export type FilterName = (typeof filterNames)[number]

/**
 * Reads a search from an address. An address may have been typed or cut by a chat program, so what cannot be
 * meant is left out instead of failing: text past the limits, an academic year or a sort order that does not exist.
 */
export function readSearch(params: URLSearchParams): NoteSearch {
  return tidySearch({
    title: params.get('title') ?? '',
    courseCode: params.get('courseCode') ?? '',
    academicYear: params.get('academicYear') ?? '',
    instructor: params.get('instructor') ?? '',
    sortBy: params.get('sortBy') === 'likes' ? 'likes' : 'createdAt',
  })
}

/** The same search in one spelling, so that it has one address and one place in the cache. */
export function tidySearch(search: NoteSearch): NoteSearch {
  return {
    title: tidyText(search.title, titleLength.max),
    courseCode: tidyText(search.courseCode, courseCodeLength.max),
    academicYear: tidyYear(search.academicYear),
    instructor: tidyText(search.instructor, instructorLength.max),
    sortBy: search.sortBy,
  }
}

// What the API refuses becomes a blank, as a pasted line break should.
const unsafeRuns = new RegExp(`(?:${unsafeCharacters.source})+`, 'gu')

function tidyText(text: string, maxLength: number): string {
  const cleaned = text.normalize('NFC').replace(unsafeRuns, ' ').trim()
  return [...cleaned].slice(0, maxLength).join('').trim()
}

function tidyYear(text: string): string {
  const year = academicYear.safeParse(text)
  return year.success ? year.data : ''
}

/** The query of an address or of a list call: only what is set, and the sort order only where it is not the default. */
export function writeSearch(search: NoteSearch): URLSearchParams {
  const params = new URLSearchParams()
  for (const name of filterNames) if (search[name] !== '') params.set(name, search[name])
  if (search.sortBy !== emptySearch.sortBy) params.set('sortBy', search.sortBy)
  return params
}

export function isSameSearch(a: NoteSearch, b: NoteSearch): boolean {
  return a.sortBy === b.sortBy && filterNames.every((name) => a[name] === b[name])
}

export function activeFilters(search: NoteSearch): FilterName[] {
  return filterNames.filter((name) => search[name] !== '')
}
