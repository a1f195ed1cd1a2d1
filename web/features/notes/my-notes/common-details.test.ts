import { expect, it } from 'vitest'
import { testNote } from '../../../test/test-note.ts'
import { commonDetails, differs } from './common-details.ts'

const one = testNote('a', { courseCode: 'MAT137', instructor: 'Dr. Vega' })
const other = testNote('b', { courseCode: 'CSC111', instructor: 'Dr. Vega', isAnonymous: true })

it('knows what notes have in common, and where they differ', () => {
  const common = { courseCode: '', academicYear: '2026–27', instructor: 'Dr. Vega', isAnonymous: '' }
  expect(commonDetails([one, other])).toEqual(common)
  expect([differs([one, other], 'courseCode'), differs([one, other], 'instructor')]).toEqual([true, false])
  expect(commonDetails([testNote('c')])).toMatchObject({ courseCode: 'CS101', instructor: '', isAnonymous: 'false' })
})
