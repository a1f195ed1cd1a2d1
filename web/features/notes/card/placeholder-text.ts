import { foldCourseCode } from '../../../../packages/contract/course-code.ts'

/**
 * What stands on the blank sheet of a note, so that those of one course are told apart: the number its title has ("7" of
 * "Week 7"), else how the title begins. The course itself stands on the card.
 */
export function placeholderText(title: string, courseCode: string): string {
  const course = foldCourseCode(courseCode)
  const words = (title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !isPartOf(course, foldCourseCode(word)))
  const number = words.find((word) => /^\p{Nd}{1,3}$/u.test(word))
  if (number !== undefined) return number
  const [first = '', second] = words
  return second === undefined ? beginningOf(first, 2) : beginningOf(first, 1) + beginningOf(second, 1)
}

/** "CSC 148" has its course in two words; a word of one letter may be any. */
const isPartOf = (course: string, word: string) => word.length > 1 && course.includes(word)

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const beginningOf = (word: string, length: number) =>
  [...characters.segment(word)]
    .slice(0, length)
    .map(({ segment }) => segment)
    .join('')
