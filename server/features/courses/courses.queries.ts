import { type RawBuilder, sql } from 'kysely'
import { type Course, type CourseNotesQuery, maxFavourites, maxNewNotes } from '../../../packages/contract/courses.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { and } from '../../platform/db/sql.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { afterCursor, orderColumns, orderOf, readNotes, visibleNotes } from '../notes/visible-notes.ts'
import { activeFilters } from '../search/filters.ts'
import { courseSpellings } from '../search/suggestions.ts'

/** Returns the courses in the order of their keys. A course without a list entry or notes has its key as its code. */
export async function readCourses(db: Db, viewer: Viewer, keys: string[]): Promise<Course[]> {
  const { rows } = await sql<Course>`
    SELECT k.key, coalesce(l.code, s.code, k.key) AS "courseCode", l.name, coalesce(s.notes, 0) AS notes,
           f.user_id IS NOT NULL AS "isFollowed"
      FROM unnest(${keys}::text[]) AS k (key)
      LEFT JOIN course_names l ON l.course_key = k.key
      LEFT JOIN course_follows f ON f.course_key = k.key AND f.user_id = ${viewer.id}
      LEFT JOIN LATERAL (
        SELECT (array_agg(text ORDER BY notes DESC, text))[1] AS code, sum(notes)::integer AS notes
          FROM ${courseSpellings} c WHERE c.key = k.key) s ON true
     ORDER BY k.key COLLATE "C"`.execute(db)
  return rows
}

/** Returns the keys of courses with notes, in ascending order. */
export async function findCourseKeys(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT DISTINCT key FROM ${courseSpellings} c WHERE key > ${after} ORDER BY key LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Returns keys of courses, with or without notes, that have the words in code or name, or the number in their code. */
export async function filterCourseKeys(
  db: Db,
  query: string,
  number: string | null,
  after: string,
  limit: number,
): Promise<string[]> {
  const found = (key: RawBuilder<unknown>) =>
    number === null
      ? sql`words @@ ${query}::tsquery`
      : sql`(words @@ ${query}::tsquery OR ${key} LIKE ${`%${number}%`})`
  // OFFSET 0 prevents a scan of the index of words, which has far more titles with such words than courses.
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM (SELECT * FROM ${courseSpellings} c WHERE key > ${after} OFFSET 0) c WHERE ${found(sql`key`)}
    UNION
    SELECT course_key FROM course_names WHERE course_key > ${after} AND ${found(sql`course_key`)}
    ORDER BY key LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * With the course key first in the order, only the index of courses fits. Otherwise PostgreSQL could scan all notes from
 * the newest on, although those of a large course may all be old. The condition is a range, because PostgreSQL drops a
 * column with one fixed value from the order.
 */
const inCourse = (key: RawBuilder<unknown>) => sql`n.course_key BETWEEN ${key} AND ${key}`
const orderInCourse = sql`ORDER BY n.course_key, ${orderColumns('createdAt')}`

/** For FROM: all notes of a course. OFFSET 0 keeps PostgreSQL from searching all notes for them in another order. */
const notesOfCourse = (viewer: Viewer, key: string) =>
  sql`(SELECT * FROM ${visibleNotes(viewer)} n WHERE n.course_key = ${key} OFFSET 0)`

export async function findFirstMoment(db: Db, viewer: Viewer, key: string): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    SELECT n.created_at FROM ${visibleNotes(viewer)} n WHERE ${inCourse(sql`${key}`)}
     ORDER BY n.course_key DESC, n.created_at, n.id LIMIT 1`.execute(db)
  return rows[0]?.created_at ?? null
}

const maxYears = 200
const maxInstructors = 200

/** Returns the latest year first. */
export async function findAcademicYears(db: Db, viewer: Viewer, key: string): Promise<string[]> {
  const { rows } = await sql<{ year: string }>`
    SELECT DISTINCT academic_year AS year FROM ${notesOfCourse(viewer, key)} n
     ORDER BY year DESC LIMIT ${sql.lit(maxYears)}`.execute(db)
  return rows.map(({ year }) => year)
}

/** Returns each instructor as spelled in their newest note, the one with the newest note first. */
export async function findInstructors(db: Db, viewer: Viewer, key: string): Promise<string[]> {
  const { rows } = await sql<{ instructor: string }>`
    SELECT instructor FROM (
      SELECT DISTINCT ON (n.instructor_words) n.instructor, n.created_at FROM ${notesOfCourse(viewer, key)} n
       WHERE n.instructor_words > ''::tsvector ORDER BY n.instructor_words, ${orderColumns('createdAt')}) n
     ORDER BY created_at DESC, instructor LIMIT ${sql.lit(maxInstructors)}`.execute(db)
  return rows.map(({ instructor }) => instructor)
}

/** Returns at most `limit` notes of a course after the query's cursor, in its order. */
export function findCourseNotes(
  db: Db,
  viewer: Viewer,
  key: string,
  query: CourseNotesQuery,
  limit: number,
): Promise<Note[]> {
  const { sortBy } = query
  const filters = activeFilters(query).flatMap(({ column, value }) => column?.is(value) ?? [])
  const conditions = [...filters, ...afterCursor(query)]
  const isInOrder = filters.length === 0 && sortBy === 'createdAt'
  const source = isInOrder
    ? sql`SELECT * FROM ${visibleNotes(viewer)} n WHERE ${and([inCourse(sql`${key}`), ...conditions])} ${orderInCourse}`
    : sql`SELECT * FROM ${notesOfCourse(viewer, key)} n WHERE ${and(conditions)} ${orderOf(sortBy)}`
  return readNotes(db, viewer, sql`(${source} LIMIT ${sql.lit(limit)})`, orderOf(sortBy))
}

/** Returns the most liked notes, without notes that have no likes. */
export function findFavourites(db: Db, viewer: Viewer, key: string): Promise<Note[]> {
  const order = orderOf('likes')
  const liked = sql`SELECT * FROM ${notesOfCourse(viewer, key)} n WHERE n.likes > 0`
  return readNotes(db, viewer, sql`(${liked} ${order} LIMIT ${sql.lit(maxFavourites)})`, order)
}

export async function findFollowedKeys(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('course_follows').select('course_key').where('user_id', '=', userId).execute()
  return rows.map(({ course_key }) => course_key)
}

/** Counts the users other than the viewer. */
export async function countFollowers(db: Db, viewer: Viewer, key: string): Promise<number> {
  const { rows } = await sql<{ followers: number }>`
    SELECT count(*)::integer AS followers FROM course_follows
     WHERE course_key = ${key} AND user_id IS DISTINCT FROM ${viewer.id}`.execute(db)
  return rows[0]?.followers ?? 0
}

export async function insertFollow(tx: Tx, userId: string, key: string): Promise<void> {
  await tx
    .insertInto('course_follows')
    .values({ user_id: userId, course_key: key })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteFollow(db: Db, userId: string, key: string): Promise<void> {
  await db.deleteFrom('course_follows').where('user_id', '=', userId).where('course_key', '=', key).execute()
}

/** Returns the newest notes of others in the courses that the viewer follows, from the newest of each course. */
export function findNewNotes(db: Db, viewer: Viewer): Promise<Note[]> {
  const order = orderOf('createdAt')
  const newest = sql`
    SELECT n.* FROM course_follows f
     CROSS JOIN LATERAL (
       SELECT * FROM ${visibleNotes(viewer)} n WHERE ${inCourse(sql`f.course_key`)} AND n.user_id IS DISTINCT FROM ${viewer.id}
         ${orderInCourse} LIMIT ${sql.lit(maxNewNotes)}) n
     WHERE f.user_id = ${viewer.id} ${order} LIMIT ${sql.lit(maxNewNotes)}`
  return readNotes(db, viewer, sql`(${newest})`, order)
}
