import { expect, it } from 'vitest'
import { describeSearch, getBroaderSearches } from './describe-search.ts'
import { emptySearch } from './search-params.ts'

it.each([
  [{}, ''],
  [{ courseCode: 'cs101' }, 'the course CS101'],
  [{ text: 'red trees' }, '“red trees”'],
  [{ text: '"red trees" heaps' }, '"red trees" heaps'],
  [{ title: 'limits', courseCode: 'MAT137' }, 'the title “limits” and the course MAT137'],
  [
    { title: 'limits', academicYear: '2026–27', instructor: 'Vega' },
    'the title “limits”, the academic year 2026–27 and the instructor “Vega”',
  ],
])('what was searched as %j reads: %s', (filters, text) => {
  expect(describeSearch({ ...emptySearch, ...filters })).toBe(text)
})

it('the steps that widen a search let one filter go each, the year before the course, but not the only one', () => {
  const search = { ...emptySearch, courseCode: 'MAT137', academicYear: '2026–27', sortBy: 'likes' as const }
  const steps = getBroaderSearches(search)
  expect(steps.map((step) => step.dropped)).toEqual(['academicYear', 'courseCode'])
  expect(steps[0]?.search).toEqual({ ...search, academicYear: '' })
  expect(getBroaderSearches({ ...emptySearch, title: 'limits' })).toEqual([])
  expect(getBroaderSearches(emptySearch)).toEqual([])
})
