import { sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { Suggestions } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { QueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import { bitmapScanSettings } from '../../platform/db/set-local.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { expand } from './expand.ts'
import { readQuery } from './query.ts'
import * as queries from './suggestions.queries.ts'
import { toQueryWords } from './text-analysis/fold.ts'

/** Maximum number of suggestions of each kind. */
const most = 5
const timeoutMs = 1_000

/** Returns courses, titles and instructors that match every typed word as a prefix. */
export async function suggest(queryWithTimeout: QueryWithTimeout, viewer: Viewer, text: string): Promise<Suggestions> {
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
  return queryWithTimeout(viewer, timeoutMs, read, bitmapScanSettings)
}

/**
 * The text of a `tsquery` that matches every word as a prefix or by its corrections; null when the text has no word.
 */
function wordsQuery(text: string, corrections = new Map<string, string[]>()): string | null {
  const words = toQueryWords(text).map((word) => {
    const corrected = (corrections.get(word) ?? []).map((other) => ` | '${other}'`)
    return `('${word}':*${corrected.join('')})`
  })
  return words.length === 0 ? null : `(${words.join(' & ')})`
}

/** Like `wordsQuery`, and also matches the text as one course code: `csc 10` finds `CSC108`. */
export function courseQuery(text: string, corrections?: Map<string, string[]>): string | null {
  const queries = [text, foldCourseCode(text)]
    .map((each) => wordsQuery(each, corrections))
    .filter((query) => query !== null)
  return queries.length === 0 ? null : queries.join(' | ')
}

/** Like `courseQuery`, with typing errors corrected as in the search inside notes; null when there is no correction. */
export async function correctedCourseQuery(db: Db, text: string): Promise<string | null> {
  const { terms } = await expand(db, readQuery(`${text} ${foldCourseCode(text)}`).words, true)
  const corrected = terms.filter(({ correction }) => correction !== null)
  if (corrected.length === 0) return null
  return courseQuery(text, new Map(corrected.map(({ word, forms }) => [word, forms.map(({ form }) => form)])))
}

/** Counts all notes and courses. */
export const countLibrary = (db: Db): Promise<{ notes: number; courses: number }> => queries.countCourses(db)

/** Every spelling of a course, with its key, its words and the number of its notes; for FROM. */
export const courseSpellings = sql<{ key: string; text: string; words: string; notes: number }>`(
  SELECT key, text, words, notes FROM suggestions WHERE kind = 'course')`
