import { expect, it } from 'vitest'
import { foldCourseCode } from './course-code.ts'
import { courseParams, coursesQuery } from './courses.ts'
import { courseCode, messages, tooLong } from './fields.ts'
import { courseCodeLength } from './limits.ts'
import { ownNoteQuery } from './search.ts'

const cursor = {
  groupBy: 'course',
  cursorId: '00000000-0000-4000-8000-000000000000',
  sortBy: 'likes',
  cursorValue: '1',
}

/** Codes with every character that case or compatibility folding changes, in all relevant positions. */
function* oddCodes() {
  for (let point = 0x80; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    if (character.normalize('NFKC').toUpperCase() === character && !/\p{M}/u.test(character)) continue
    for (const around of ['X-X', 'AX-1']) yield around.replaceAll('X', character)
    yield character.repeat(courseCodeLength.max)
  }
}

it('every accepted code has a key that finds its course and serves as a cursor', () => {
  const wrong: string[] = []
  let accepted = 0
  for (const typed of oddCodes()) {
    const { data: code } = courseCode.safeParse(typed)
    if (code === undefined) continue
    accepted++
    const key = foldCourseCode(code)
    const names = (text: string) => courseParams.safeParse({ code: text }).data?.code === key
    const goesOn = coursesQuery.safeParse({ after: key }).data?.after === key
    const isPlace = (text: string) => ownNoteQuery.safeParse({ ...cursor, cursorCourse: text }).success
    const fits = courseCode.safeParse(code).data === code
    if (!(names(key) && names(code) && goesOn && isPlace(key) && isPlace(code) && fits)) wrong.push(typed)
  }
  expect(wrong).toEqual([])
  expect(accepted).toBeGreaterThan(5_000)
})

it.each([
  ['a key that grows', `0NN${'ﷺ'.repeat(29)}`, tooLong(32)],
  ['an upper case that grows', 'ΐ'.repeat(32), tooLong(32)],
  ['a key without letter and digit', 'ﾞ', messages.courseCode],
])('%s is refused', (_what, typed, message) => {
  expect(courseCode.safeParse(typed).error?.issues[0]?.message).toBe(message)
})
