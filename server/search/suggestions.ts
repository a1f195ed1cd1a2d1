import { foldCourseCode } from '../../contract/course-code.ts'
import type { Suggestions } from '../../contract/search.ts'
import type { ReadWithin } from '../db/read-within.ts'
import { soughtWords } from '../words/fold.ts'
import { findSuggestions } from './suggestions.queries.ts'

/** Of each kind. */
const most = 5
const limitMs = 1_000

/** Courses, titles and instructors with every word that was typed, each word by its beginning. */
export async function suggest(readWithin: ReadWithin, text: string): Promise<Suggestions> {
  const words = soughtWords(text)
  if (words.length === 0) return { courses: [], titles: [], instructors: [] }
  const query = words.map((word) => `'${word}':*`).join(' & ')
  const code = soughtWords(foldCourseCode(text)).map((word) => `'${word}':*`)
  return readWithin(limitMs, async (tx) => {
    const courses = await findSuggestions(tx, 'course', [`(${query})`, ...code].join(' | '), most)
    const titles = await findSuggestions(tx, 'title', query, most)
    const instructors = await findSuggestions(tx, 'instructor', query, most)
    return {
      courses: courses.map(({ text, count }) => ({ courseCode: text, count })),
      titles: titles.map(({ text, count }) => ({ title: text, count })),
      instructors: instructors.map(({ text, count }) => ({ instructor: text, count })),
    }
  })
}
