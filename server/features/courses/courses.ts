import {
  type CourseDetails,
  type CourseNotesQuery,
  type CoursePage,
  coursesPageSize,
  type FollowedCourses,
  maxFollowedCourses,
} from '../../../packages/contract/courses.ts'
import { pageSize } from '../../../packages/contract/limits.ts'
import type { NotePage } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { fail } from '../../platform/http/api-error.ts'
import { lockUser } from '../accounts/users/users.ts'
import { correctedCourseQuery, courseQuery } from '../search/suggestions.ts'
import { getMailChoice } from './course-digests.ts'
import * as queries from './courses.queries.ts'

/** Returns one page of courses by code: those with notes or, with a text, all that match it. */
export async function listCourses(
  db: Db,
  viewer: Viewer,
  { text, after = '' }: { text?: string | undefined; after?: string | undefined },
): Promise<CoursePage> {
  const keys = await findKeys(db, text, after, coursesPageSize + 1)
  const shown = keys.slice(0, coursesPageSize)
  const courses = await queries.readCourses(db, viewer, shown)
  return { courses, next: keys.length > shown.length ? (shown.at(-1) ?? null) : null }
}

async function findKeys(db: Db, text: string | undefined, after: string, limit: number): Promise<string[]> {
  if (text === undefined) return queries.findCourseKeys(db, after, limit)
  const query = courseQuery(text)
  if (query === null) return []
  const keys = await queries.filterCourseKeys(db, query, numberOf(text), after, limit)
  if (keys.length > 0) return keys
  const corrected = await correctedCourseQuery(db, text)
  return corrected === null ? [] : queries.filterCourseKeys(db, corrected, null, after, limit)
}

/** Students search for HIS241 as `241`. A single digit would match most codes. */
const numberOf = (text: string) => (/^\d{2,}$/.test(text) ? text : null)

/** @throws course_not_found */
export async function getCourse(db: Db, viewer: Viewer, key: string): Promise<CourseDetails> {
  const course = await findCourse(db, viewer, key)
  const since = await queries.findFirstMoment(db, viewer, key)
  return {
    course,
    followers: await queries.countFollowers(db, viewer, key),
    since: since?.toISOString() ?? null,
    academicYears: await queries.findAcademicYears(db, viewer, key),
    instructors: await queries.findInstructors(db, viewer, key),
    favourites: await queries.findFavourites(db, viewer, key),
  }
}

/** Finds a course that has notes, is listed, or is followed by the viewer. @throws course_not_found */
async function findCourse(db: Db, viewer: Viewer, key: string) {
  const [course] = await queries.readCourses(db, viewer, [key])
  const isKnown = course && (course.notes > 0 || course.name !== null || course.isFollowed)
  return isKnown ? course : fail('course_not_found')
}

export async function listCourseNotes(db: Db, viewer: Viewer, key: string, query: CourseNotesQuery): Promise<NotePage> {
  const notes = await queries.findCourseNotes(db, viewer, key, query, pageSize + 1)
  return { notes: notes.slice(0, pageSize), hasMore: notes.length > pageSize }
}

/** @throws course_not_found, too_many_courses */
export function followCourse(db: Db, viewer: Viewer, key: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockUser(tx, viewer.id)
    const { isFollowed } = await findCourse(tx, viewer, key)
    if (isFollowed) return
    const followed = await queries.findFollowedKeys(tx, viewer.id)
    if (followed.length >= maxFollowedCourses) fail('too_many_courses', { values: { max: maxFollowedCourses } })
    await queries.insertFollow(tx, viewer.id, key)
  })
}

export async function listFollowedCourses(db: Db, viewer: Viewer): Promise<FollowedCourses> {
  const keys = await queries.findFollowedKeys(db, viewer.id)
  return { courses: await queries.readCourses(db, viewer, keys), mails: await getMailChoice(db, viewer.id) }
}
