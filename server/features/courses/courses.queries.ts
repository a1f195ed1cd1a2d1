import { type RawBuilder, sql } from 'kysely'
import { type Course, type CourseNotesQuery, maxFavourites, maxNewNotes } from '../../../packages/contract/courses.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import type { SortKey } from '../../../packages/contract/search.ts'
import { and } from '../../platform/db/conditions.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { afterCursor, orderColumns, orderOf } from '../notes/note-order.ts'
import { readNotes, visibleNotes } from '../notes/visible-notes.ts'
import { courseSpellings } from '../search/course-spellings.ts'
import { toTsvector } from '../search/text-analysis/fold.ts'

/** Those of these keys, in the order of their keys. One that nobody lists and no note has is called by its key. */
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

/** The keys of courses that have notes, in their order. */
export async function findCourseKeys(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT DISTINCT key FROM ${courseSpellings} c WHERE key > ${after} ORDER BY key LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ key }) => key)
}

/** The same of those that have these words in code or name, or this number in their code, with notes or without. */
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
  // OFFSET 0: there are far fewer courses than titles with such words, among which the index of words would look.
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM (SELECT * FROM ${courseSpellings} c WHERE key > ${after} OFFSET 0) c WHERE ${found(sql`key`)}
    UNION
    SELECT course_key FROM course_names WHERE course_key > ${after} AND ${found(sql`course_key`)}
    ORDER BY key LIMIT ${sql.lit(limit)}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * Where a course is ordered by its key first, only indexes of courses have its notes in order: PostgreSQL would else walk all
 * notes from the newest on to those of a course that has many, which may all be old. As a range, since it drops from an
 * order what is equal to one value.
 */
const inCourse = (key: RawBuilder<unknown>) => sql`n.course_key BETWEEN ${key} AND ${key}`
const orderInCourse = (sortBy: SortKey) => sql`ORDER BY n.course_key, ${orderColumns(sortBy)}`

export async function findFirstMoment(db: Db, viewer: Viewer, key: string): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    SELECT n.created_at FROM ${visibleNotes(viewer)} n WHERE ${inCourse(sql`${key}`)}
     ORDER BY n.course_key DESC, n.created_at, n.id LIMIT 1`.execute(db)
  return rows[0]?.created_at ?? null
}

/** A course has few years and instructors and may have very many notes: each step looks up the next one in the index. */
const mostSteps = 200

/** The latest first. */
export async function findAcademicYears(db: Db, viewer: Viewer, key: string): Promise<string[]> {
  const next = (before: RawBuilder<unknown>) => sql`
    SELECT n.academic_year AS year FROM ${visibleNotes(viewer)} n
     WHERE ${inCourse(sql`${key}`)} AND ${before} ORDER BY n.course_key DESC, n.academic_year DESC LIMIT 1`
  const { rows } = await sql<{ year: string }>`
    WITH RECURSIVE steps AS (
      (${next(sql`true`)})
      UNION ALL
      SELECT n.year FROM steps, LATERAL (${next(sql`n.academic_year < steps.year`)}) n)
    SELECT year FROM steps LIMIT ${sql.lit(mostSteps)}`.execute(db)
  return rows.map(({ year }) => year)
}

/** Each as its newest note spells it, the one with the newest note first. */
export async function findInstructors(db: Db, viewer: Viewer, key: string): Promise<string[]> {
  const next = (before: RawBuilder<unknown>) => sql`
    SELECT n.instructor_words AS words, n.instructor, n.created_at FROM ${visibleNotes(viewer)} n
     WHERE ${inCourse(sql`${key}`)} AND ${before}
     ORDER BY n.course_key, n.instructor_words, ${orderColumns('createdAt')} LIMIT 1`
  const { rows } = await sql<{ instructor: string }>`
    WITH RECURSIVE steps AS (
      (${next(sql`n.instructor_words > ''::tsvector`)})
      UNION ALL
      SELECT n.* FROM steps, LATERAL (${next(sql`n.instructor_words > steps.words`)}) n)
    SELECT instructor FROM (SELECT * FROM steps LIMIT ${sql.lit(mostSteps)}) s ORDER BY created_at DESC, instructor`.execute(
    db,
  )
  return rows.map(({ instructor }) => instructor)
}

/** At most `limit` notes of a course after the query's cursor, in its order. */
export function findCourseNotes(
  db: Db,
  viewer: Viewer,
  key: string,
  query: CourseNotesQuery,
  limit: number,
): Promise<Note[]> {
  const { academicYear, instructor, sortBy } = query
  const filters = [
    ...(academicYear === undefined ? [] : [sql`n.academic_year = ${academicYear}`]),
    ...(instructor === undefined ? [] : [sql`n.instructor_words = nullif(${toTsvector(instructor)}, '')::tsvector`]),
  ]
  const all = sql`SELECT * FROM ${visibleNotes(viewer)} n WHERE ${and([inCourse(sql`${key}`), ...filters, ...afterCursor(query)])}`
  // Indexes have the notes of a course in both orders, and the newest of a year and of an instructor. What else is asked
  // for is collected within the course and sorted: OFFSET 0 keeps it from being looked for among all notes.
  const isInOrder = filters.length === 0 || (filters.length === 1 && sortBy === 'createdAt')
  const source = isInOrder ? all : sql`SELECT * FROM (${all} OFFSET 0) n`
  return readNotes(db, viewer, sql`(${source} ${orderInCourse(sortBy)} LIMIT ${sql.lit(limit)})`, orderOf(sortBy))
}

/** The most liked, if any are liked. */
export function findFavourites(db: Db, viewer: Viewer, key: string): Promise<Note[]> {
  const liked = sql`SELECT * FROM ${visibleNotes(viewer)} n WHERE ${inCourse(sql`${key}`)} AND n.likes > 0`
  const source = sql`(${liked} ${orderInCourse('likes')} LIMIT ${sql.lit(maxFavourites)})`
  return readNotes(db, viewer, source, orderOf('likes'))
}

export async function findFollowedKeys(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('course_follows').select('course_key').where('user_id', '=', userId).execute()
  return rows.map(({ course_key }) => course_key)
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

/** The newest notes of others in the courses that one follows: the newest of each, and the newest of those. */
export function findNewNotes(db: Db, viewer: Viewer): Promise<Note[]> {
  const order = orderOf('createdAt')
  const newest = sql`
    SELECT n.* FROM course_follows f
     CROSS JOIN LATERAL (
       SELECT * FROM ${visibleNotes(viewer)} n WHERE ${inCourse(sql`f.course_key`)} AND n.user_id IS DISTINCT FROM ${viewer.id}
         ${orderInCourse('createdAt')} LIMIT ${sql.lit(maxNewNotes)}) n
     WHERE f.user_id = ${viewer.id} ${order} LIMIT ${sql.lit(maxNewNotes)}`
  return readNotes(db, viewer, sql`(${newest})`, order)
}
