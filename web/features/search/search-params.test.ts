import { expect, it } from 'vitest'
import {
  activeFilters,
  emptySearch,
  isSameSearch,
  normalizeSearch,
  parseSearch,
  serializeSearch,
} from './search-params.ts'

const read = (query: string) => parseSearch(new URLSearchParams(query))

it('a search in the address comes back as it was written, without defaults and unset filters', () => {
  const search = normalizeSearch({
    ...emptySearch,
    text: '“Fourier series” C++ λ',
    title: 'Zürich & “linear” algebra = 100 %',
    courseCode: 'mat 137',
    academicYear: '2025–26',
    instructor: 'Ó Súilleabháin',
    sortBy: 'likes',
    isExact: true,
  })
  expect(read(serializeSearch(search).toString())).toEqual(search)
  expect(serializeSearch(emptySearch).toString()).toBe('')
  expect(serializeSearch({ ...emptySearch, courseCode: 'CS101' }).toString()).toBe('courseCode=CS101')
  expect(read('')).toEqual(emptySearch)
  expect(read('utm_source=chat')).toEqual(emptySearch)
})

it('a search in the address drops what cannot be meant instead of failing', () => {
  expect(read('academicYear=soon&sortBy=password')).toEqual(emptySearch)
  expect(read('academicYear=2025–27').academicYear).toBe('')
  expect(read(`title=${'a'.repeat(500)}`).title).toHaveLength(200)
  expect(read('title=a%00b%E2%80%AEc%0Ad').title).toBe('abc d')
  expect(read('title=%ED%A0%80x').title).toContain('x')
  expect(read(`courseCode=${encodeURIComponent('🦉'.repeat(40))}`).courseCode).toBe('🦉'.repeat(32))
  // A plain hyphen stands for the en dash of a year.
  expect(read('academicYear=2025-26').academicYear).toBe('2025–26')
  expect(read('academicYear=1999-00').academicYear).toBe('1999–00')
})

it('knows which filters are set, the sort order not being one', () => {
  expect(activeFilters(read('sortBy=likes'))).toEqual([])
  expect(activeFilters(read('sortBy=likes&instructor=x&title=y'))).toEqual(['title', 'instructor'])
})

it('tells two searches apart', () => {
  expect(isSameSearch(read('title=a'), read('title=%20a%20'))).toBe(true)
  expect(isSameSearch(read('title=a'), read('title=b'))).toBe(false)
  expect(isSameSearch(read('title=a'), read('title=a&sortBy=likes'))).toBe(false)
})
