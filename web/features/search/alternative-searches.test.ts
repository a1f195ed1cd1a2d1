import { expect, it } from 'vitest'
import { describeOtherHits, getAlternativeSearches } from './alternative-searches.ts'
import { emptySearch } from './search-params.ts'

const targets = (filters: Partial<typeof emptySearch>, isWithBox = true) =>
  getAlternativeSearches({ ...emptySearch, ...filters }, isWithBox).map(({ to }) => to)

it('where else a text may belong is the other fields and the box, but none with its own text or too short', () => {
  expect(targets({ title: 'Petrova' })).toEqual(['courseCode', 'instructor', 'text'])
  expect(targets({ instructor: 'CSC148', academicYear: '2025–26' })).toEqual(['title', 'courseCode', 'text'])
  expect(targets({ title: 'Petrova' }, false)).toEqual(['courseCode', 'instructor'])

  expect(targets({ title: 'Petrova', courseCode: 'CSC148' })).toEqual(['instructor', 'instructor'])
  expect(targets({ title: 'a', courseCode: 'b', instructor: 'c' })).toEqual([])
  expect(targets({ text: 'heaps', title: 'Petrova' })).toEqual(['courseCode', 'instructor'])
  expect(targets({ academicYear: '2025–26' })).toEqual([])
  expect(targets({ text: 'heaps' })).toEqual([])
  expect(targets({ title: 'a'.repeat(40) })).toEqual(['instructor', 'text'])
})

it('where else a text may belong keeps everything else of the search', () => {
  const others = { ...emptySearch, academicYear: '2025–26', sortBy: 'likes' as const }
  const [move] = getAlternativeSearches({ ...others, title: 'csc148' }, true)
  expect(move?.search).toEqual({ ...others, courseCode: 'csc148' })
})

it.each([
  ['instructor', 'Petrova', 4, true, 'Show 4 notes by instructor Petrova'],
  ['courseCode', 'csc148', 1000, false, 'Show more than 1,000 notes in course CSC148'],
  ['title', 'Heaps', 1, true, 'Show 1 note with Heaps in the title'],
  ['text', 'heaps', 2, true, 'Show 2 results for heaps in the text'],
] as const)('hits by %s of %s read %4$s', (to, value, count, isAll, text) => {
  expect(describeOtherHits({ to, value, search: emptySearch, count, isAll })).toBe(text)
})
