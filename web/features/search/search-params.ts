import { cutLine } from '../../../packages/contract/clean-text.ts'
import { academicYear } from '../../../packages/contract/fields.ts'
import { courseCodeLength, instructorLength, searchTextLength, titleLength } from '../../../packages/contract/limits.ts'
import { type SearchSortKey, searchSortKeys } from '../../../packages/contract/search.ts'

/** What a list of notes was asked for. An empty text is a filter that is not set. */
export type NoteSearch = {
  /** What stands in the one box, where a list has it: words and phrases of the notes and of their pages. */
  text: string
  title: string
  courseCode: string
  academicYear: string
  instructor: string
  /** By relevance only where there is text to be relevant to. */
  sortBy: SearchSortKey
  /** Typing errors in the text are not corrected. */
  isExact: boolean
  /** Course by course: a wish about one's own notes, not part of an address. */
  isGrouped: boolean
}

export const emptySearch: NoteSearch = {
  text: '',
  title: '',
  courseCode: '',
  academicYear: '',
  instructor: '',
  sortBy: 'createdAt',
  isExact: false,
  isGrouped: false,
}

export const filterNames = ['title', 'courseCode', 'academicYear', 'instructor'] as const
export type FilterName = (typeof filterNames)[number]

/**
 * Reads a search from an address. An address may have been typed or cut by a chat program, so what cannot be
 * meant is left out instead of failing: text past the limits, an academic year or a sort order that does not exist.
 */
export function parseSearch(params: URLSearchParams): NoteSearch {
  const text = params.get('q') ?? ''
  const asked = params.get('sortBy')
  return normalizeSearch({
    text,
    title: params.get('title') ?? '',
    courseCode: params.get('courseCode') ?? '',
    academicYear: params.get('academicYear') ?? '',
    instructor: params.get('instructor') ?? '',
    sortBy: searchSortKeys.find((key) => key === asked) ?? defaultSort(text),
    isExact: params.get('exact') === 'true',
    isGrouped: false,
  })
}

/** The same search in one spelling, so that it has one address and one place in the cache. */
export function normalizeSearch(search: NoteSearch): NoteSearch {
  const text = cutLine(search.text, searchTextLength.max)
  return {
    text,
    title: cutLine(search.title, titleLength.max),
    courseCode: cutLine(search.courseCode, courseCodeLength.max),
    academicYear: tidyYear(search.academicYear),
    instructor: cutLine(search.instructor, instructorLength.max),
    sortBy: search.sortBy === 'relevance' ? defaultSort(text) : search.sortBy,
    isExact: search.isExact && text !== '',
    isGrouped: search.isGrouped,
  }
}

const defaultSort = (text: string): SearchSortKey => (text.trim() === '' ? 'createdAt' : 'relevance')

function tidyYear(text: string): string {
  const year = academicYear.safeParse(text)
  return year.success ? year.data : ''
}

/** The query of an address: only what is set, and the sort order only where it is not the default. */
export function serializeSearch(search: NoteSearch): URLSearchParams {
  const params = new URLSearchParams()
  if (search.text !== '') params.set('q', search.text)
  for (const name of filterNames) if (search[name] !== '') params.set(name, search[name])
  if (search.isExact) params.set('exact', 'true')
  if (search.sortBy !== defaultSort(search.text)) params.set('sortBy', search.sortBy)
  return params
}

/** The query of a list call: as the address has it, which has a short name for the text. */
export function toApiQuery(search: NoteSearch): Record<string, string> {
  const { q, ...query } = Object.fromEntries(serializeSearch(search))
  if (q !== undefined) return { text: q, ...query }
  return search.isGrouped ? { ...query, groupBy: 'course' } : query
}

export function isSameSearch(a: NoteSearch, b: NoteSearch): boolean {
  return (
    a.text === b.text &&
    a.isExact === b.isExact &&
    a.sortBy === b.sortBy &&
    filterNames.every((name) => a[name] === b[name])
  )
}

/** Whether it leaves any notes out. */
export const hasFilters = (search: NoteSearch): boolean => search.text !== '' || activeFilters(search).length > 0

export function activeFilters(search: NoteSearch): FilterName[] {
  return filterNames.filter((name) => search[name] !== '')
}
