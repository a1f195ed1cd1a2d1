import { expect, it } from 'vitest'
import { testNote } from '../../test/test-note.ts'
import { commonDetails, detailsOf, differs, factsOf } from './properties.ts'

const one = testNote('a', { courseCode: 'MAT137', instructor: 'Dr. Vega' })
const other = testNote('b', { courseCode: 'CSC111', instructor: 'Dr. Vega', isAnonymous: true })

it('knows what notes have in common, and where they differ', () => {
  expect(commonDetails([one, other])).toEqual({ ...detailsOf(one), courseCode: '' })
  expect(commonDetails([testNote('c')])).toEqual(detailsOf(testNote('c')))
  const differ = (['courseCode', 'instructor', 'isAnonymous'] as const).filter((name) => differs([one, other], name))
  expect(differ).toEqual(['courseCode', 'isAnonymous'])
})

it('tells what is not given from what is', () => {
  expect(factsOf(one).map(({ text }) => text)).toEqual(expect.arrayContaining(['MAT137', '2026–27', 'Dr. Vega']))
  expect(factsOf(testNote('c')).find(({ name }) => name === 'instructor')?.text).toBeNull()
})
