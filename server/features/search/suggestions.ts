import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { Suggestions } from '../../../packages/contract/search.ts'
import { bitmapScanSettings } from '../../platform/db/planner-settings.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { QueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { expand } from './expand.ts'
import { readQuery } from './query.ts'
import * as queries from './suggestions.queries.ts'
import { toQueryWords } from './text-analysis/fold.ts'

/** Of each kind. */
const most = 5
const limitMs = 1_000

/** Courses, titles and instructors with every word that was typed, each word by its beginning. */
export async function suggest(readWithin: QueryWithTimeout, viewer: Viewer, text: string): Promise<Suggestions> {
  const [query, course] = [wordsQuery(text), courseQuery(text)]
  if (query === null || course === null) return { courses: [], titles: [], instructors: [] }
  const read = async (db: Db) => {
    const courses = await queries.findSuggestions(db, 'course', course, most)
    const titles = await queries.findSuggestions(db, 'title', query, most)
    const instructors = await queries.findSuggestions(db, 'instructor', query, most)
    return {
      courses: courses.map(({ text, count }) => ({ courseCode: text, count })),
      titles: titles.map(({ text, count }) => ({ title: text, count })),
      instructors: instructors.map(({ text, count }) => ({ instructor: text, count })),
    }
  }
  return readWithin(viewer, limitMs, read, bitmapScanSettings)
}

/** Every word by its beginning, or corrected, as the text of a `tsquery`; null where there is nothing to look for. */
function wordsQuery(text: string, corrections = new Map<string, string[]>()): string | null {
  const words = toQueryWords(text).map((word) => {
    const corrected = (corrections.get(word) ?? []).map((other) => ` | '${other}'`)
    return `('${word}':*${corrected.join('')})`
  })
  return words.length === 0 ? null : `(${words.join(' & ')})`
}

/** As `wordsQuery`, or the text as one course code: `csc 10` finds `CSC108`. */
export function courseQuery(text: string, corrections?: Map<string, string[]>): string | null {
  const queries = [text, foldCourseCode(text)]
    .map((each) => wordsQuery(each, corrections))
    .filter((query) => query !== null)
  return queries.length === 0 ? null : queries.join(' | ')
}

/** As `courseQuery`, with a typing error in any word forgiven, as a search inside the notes does; null without one. */
export async function correctedCourseQuery(db: Db, text: string): Promise<string | null> {
  const { terms } = await expand(db, readQuery(`${text} ${foldCourseCode(text)}`).words, true)
  const corrected = terms.filter(({ correction }) => correction !== null)
  if (corrected.length === 0) return null
  return courseQuery(text, new Map(corrected.map(({ word, forms }) => [word, forms.map(({ form }) => form)])))
}

/** How many notes and courses there are, whoever shared them. */
export const countLibrary = (db: Db): Promise<{ notes: number; courses: number }> => queries.countCourses(db)
