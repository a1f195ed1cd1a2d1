import { foldCourseCode } from '../../../../packages/contract/course-code.ts'

/**
 * Returns the text on the placeholder sheet, which distinguishes notes of one course: the number in the title ("7" of
 * "Week 7"), else its first letters. The card already shows the course.
 */
export function placeholderText(title: string, courseCode: string): string {
  const course = foldCourseCode(courseCode)
  const words = (title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !isPartOf(course, foldCourseCode(word)))
  const number = words.find((word) => /^\p{Nd}{1,3}$/u.test(word))
  if (number !== undefined) return number
  const [first = '', second] = words
  return second === undefined ? beginningOf(first, 2) : beginningOf(first, 1) + beginningOf(second, 1)
}

/** "CSC 148" contains its course in two words. A word of one letter is not taken for a part of it. */
const isPartOf = (course: string, word: string) => word.length > 1 && course.includes(word)

function beginningOf(word: string, length: number): string {
  // Only marks need a segmenter, and some letters that act as one. The first segmenter takes a phone 30 ms.
  if (!/[\p{M}\u0e33\u0eb3\uff9e\uff9f]/u.test(word)) return [...word].slice(0, length).join('')
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word)
  return Array.from(characters, ({ segment }) => segment)
    .slice(0, length)
    .join('')
}
