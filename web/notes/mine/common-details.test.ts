import { expect, it } from 'vitest'
import { testNote } from '../../test/test-note.ts'
import { withEdit } from './change-several.ts'
import { commonDetails, differs } from './common-details.ts'

const one = testNote('a', { courseCode: 'MAT137', instructor: 'Dr. Vega' })
const other = testNote('b', { courseCode: 'CSC111', instructor: 'Dr. Vega', isAnonymous: true })

it('knows what notes have in common, and where they differ', () => {
  const common = { courseCode: '', academicYear: '2026–27', instructor: 'Dr. Vega', isAnonymous: '' }
  expect(commonDetails([one, other])).toEqual(common)
  expect([differs([one, other], 'courseCode'), differs([one, other], 'instructor')]).toEqual([true, false])
  expect(commonDetails([testNote('c')])).toMatchObject({ courseCode: 'CS101', instructor: '', isAnonymous: 'false' })
})

it('changes what is given, and leaves the rest of each note as it is', () => {
  const edit = { courseCode: 'PHY151' }
  expect([one, other].map((note) => withEdit(note, edit))).toMatchObject([
    { courseCode: 'PHY151', instructor: 'Dr. Vega', isAnonymous: false, title: undefined },
    { courseCode: 'PHY151', instructor: 'Dr. Vega', isAnonymous: true, title: undefined },
  ])
  expect(withEdit(other, { instructor: undefined }).instructor).toBeUndefined()
})
