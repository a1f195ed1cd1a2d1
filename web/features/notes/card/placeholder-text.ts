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

/** Created on the first use, which takes a phone 20 ms. */
let characters: Intl.Segmenter | undefined

function beginningOf(word: string, length: number): string {
  characters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const segments = [...characters.segment(word)].slice(0, length)
  return segments.map(({ segment }) => segment).join('')
}
