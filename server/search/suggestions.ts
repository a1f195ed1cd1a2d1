import { foldCourseCode } from '../../contract/course-code.ts'
import type { Suggestions } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import type { ReadWithin } from '../db/read-within.ts'
import type { Viewer } from '../http/viewer.ts'
import { soughtWords } from '../words/fold.ts'
import * as queries from './suggestions.queries.ts'

/** Of each kind. */
const most = 5
const limitMs = 1_000

/** Courses, titles and instructors with every word that was typed, each word by its beginning. */
export async function suggest(readWithin: ReadWithin, viewer: Viewer, text: string): Promise<Suggestions> {
  const [query, course] = [wordsQuery(text), courseQuery(text)]
  if (query === null || course === null) return { courses: [], titles: [], instructors: [] }
  return readWithin(viewer, limitMs, async (tx) => {
    const courses = await queries.findSuggestions(tx, 'course', course, most)
    const titles = await queries.findSuggestions(tx, 'title', query, most)
    const instructors = await queries.findSuggestions(tx, 'instructor', query, most)
    return {
      courses: courses.map(({ text, count }) => ({ courseCode: text, count })),
      titles: titles.map(({ text, count }) => ({ title: text, count })),
      instructors: instructors.map(({ text, count }) => ({ instructor: text, count })),
    }
  })
}

/** Every word by its beginning, as the text of a `tsquery`; null where there is nothing to look for. */
function wordsQuery(text: string): string | null {
  const words = soughtWords(text).map((word) => `'${word}':*`)
  return words.length === 0 ? null : `(${words.join(' & ')})`
}

/** As `wordsQuery`, or the text as one course code: `csc 10` finds `CSC108`. */
export function courseQuery(text: string): string | null {
  const queries = [wordsQuery(text), wordsQuery(foldCourseCode(text))].filter((query) => query !== null)
  return queries.length === 0 ? null : queries.join(' | ')
}

/** How many notes and courses there are, whoever shared them. */
export const countLibrary = (db: Db): Promise<{ notes: number; courses: number }> => queries.countCourses(db)
