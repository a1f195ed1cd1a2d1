import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../contract/course-code.ts'
import type { Note } from '../../contract/notes.ts'
import type { NoteCountQuery, NoteOrder, NoteQuery } from '../../contract/search.ts'
import { and } from '../db/conditions.ts'
import { byIndexes } from '../db/planning.ts'
import type { Db } from '../db/pool.ts'
import { type Reads, readLimitMs } from '../db/read-within.ts'
import type { Viewer } from '../db/viewer.ts'
import { afterCursor, orderOf } from '../notes/note-order.ts'
import { isSharedByName, ownNotes, readNotes, shownNotes, visibleNotes } from '../notes/visible-notes.ts'
import { soughtWords } from '../words/fold.ts'
import { courseSpellings } from './course-spellings.ts'

type Filters = Pick<NoteQuery, 'courseCode' | 'title' | 'instructor'>
export type Scope = 'all' | 'mine' | 'liked' | { sharedBy: string }

/** A search of all notes looks first among so many, in its order. What common words find is among them. */
const walkedNotes = 10_000
/** A search of one course looks first among so many of its own, each of which is read. */
const walkedOfCourse = 2_500
/** What so many notes have at most is collected at once. Who looks for more waits for their turn. */
const collectedNotes = 2_000
/** So many notes that somebody likes are put in order at once. Who likes more has some among the most liked. */
const fewLikes = 500
/** Of so many courses a list is put together from the list of each. */
const fewCourses = 8

/**
 * At most `limit` notes of a scope after the query's cursor, in its order.
 *
 * PostgreSQL guesses whether walking the notes in order or collecting them by an index of words comes sooner to a full
 * page, and a wrong guess reads the whole table. So it is not left to guess: a walk that ends, then the collection.
 */
export async function findNotes(
  { read, readWithin }: Reads,
  scope: Scope,
  viewer: Viewer,
  query: NoteQuery,
  limit: number,
  walked = walkedNotes,
): Promise<Note[]> {
  const byLikes = query.sortBy === 'likes'
  const isOwn = scope === 'mine'
  const order = isOwn ? ownOrder(query) : orderOf(query.sortBy)
  const after = isOwn ? afterOwn(viewer, query) : afterCursor(query)
  const within = [...inScope(scope), ...after]
  const words = matching(query)
  const year = query.academicYear ? [ofYear(query.academicYear)] : []

  const notes = notesFor(scope, viewer)
  // The page is cut before its authors are looked up: no plan does so by itself.
  const take = (from: Db, source: RawBuilder<unknown>) =>
    readNotes(from, viewer, sql`(${source} ${order} LIMIT ${sql.lit(limit)})`, order)

  if (scope === 'liked' && !byLikes && words.length + year.length === 0)
    return read((db) => readNotes(db, viewer, likedNewest(viewer, query, limit), order))
  if (scope === 'liked' && words.length + year.length === 0) {
    const near = await read((db) => take(db, likedAmongMostLiked(viewer, query, limit, walked)))
    if (near.length === limit) return near
    const few = await read((db) => take(db, fewLiked(viewer, query)))
    if (few.length > 0) return few
  }
  // What somebody likes lies anywhere in the order, and so do the notes of one student course by course: both are collected.
  // An index has the notes of a year in the order of their dates.
  const isInOrder = words.length === 0 && (year.length === 0 || !byLikes)
  if (isInOrder && scope !== 'liked' && !query.groupBy)
    return read((db) => take(db, sql`SELECT * FROM ${notes} n WHERE ${and([...within, ...year])}`))
  if (scope === 'all') {
    if (isOfCourses(query)) {
      const ofFew = await read((db) => take(db, ofFewCourses(viewer, query, [...after, ...year], limit)))
      if (ofFew.length > 0) return ofFew
    }
    const filters = [...words, ...year]
    const course = query.courseCode ? await read((db) => findOnlyCourse(db, query)) : null
    if (course) {
      const most = Math.min(walked, walkedOfCourse)
      const ofCourse = await read((db) => take(db, walkCourse(viewer, query, course.key, filters, limit, most)))
      if (ofCourse.length === limit || course.notes <= most / 2) return ofCourse
    }
    // Among all notes fewer are of the course.
    const near = course ? [] : await read((db) => take(db, walk(viewer, query, filters, limit, walked)))
    if (near.length === limit) return near
    const few = await read((db) => take(db, fewOf(viewer, query, limit)))
    if (few.length > 0) return few
  }
  // OFFSET 0 keeps the order out of the search, so that it is not found by walking. Only among all notes the index of keys comes
  // sooner to what fits than looking at each.
  const conditions = scope === 'all' ? [...after, hasKeys(query)] : [...within, ...words, ...year]
  const all = sql`(SELECT * FROM ${notes} n WHERE ${and(conditions)} OFFSET 0)`
  return readWithin(viewer, readLimitMs, (db) => take(db, sql`SELECT * FROM ${all} n`), byIndexes)
}

/** Nothing narrows the list but courses, or courses and a year, and an index has the notes of each in its order. */
const isOfCourses = ({ courseCode, title, instructor, academicYear, sortBy }: NoteQuery) =>
  courseCode && !title && !instructor && !(academicYear && sortBy === 'likes')

/** The first of each course, if the courses that begin so are few; else nothing. */
function ofFewCourses(
  viewer: Viewer,
  { courseCode = '', sortBy }: NoteQuery,
  conditions: RawBuilder<unknown>[],
  limit: number,
): RawBuilder<unknown> {
  const ofEach = and([sql`n.course_key = c.key`, ...conditions])
  return sql`
    WITH sought AS MATERIALIZED (
      SELECT DISTINCT key FROM ${courseSpellings} c WHERE ${beginsWith(sql`key`, foldCourseCode(courseCode))}
       LIMIT ${sql.lit(fewCourses + 1)})
    SELECT n.*
      FROM sought c,
           LATERAL (SELECT * FROM ${visibleNotes(viewer)} n WHERE ${ofEach} ${orderOf(sortBy)} LIMIT ${sql.lit(limit)}) n
     WHERE (SELECT count(*) FROM sought) <= ${sql.lit(fewCourses)}`
}

/** Where only one course begins so. `notes`: how many it has, or had a moment ago. */
async function findOnlyCourse(db: Db, { courseCode = '' }: NoteQuery): Promise<{ key: string; notes: number } | null> {
  const first = foldCourseCode(courseCode)
  // As a range, which an index has whatever is sought: the statement is prepared.
  const { rows } = await sql<{ key: string; notes: number }>`
    SELECT key, sum(notes)::integer AS notes FROM ${courseSpellings} c
     WHERE key >= ${first} AND key < ${`${first}\u{10ffff}`} GROUP BY key ORDER BY key LIMIT 2`.execute(db)
  return rows[1] ? null : (rows[0] ?? null)
}

/** Those of the nearest notes of a course that fit. */
function walkCourse(
  viewer: Viewer,
  query: NoteQuery,
  key: string,
  filters: RawBuilder<unknown>[],
  limit: number,
  walked: number,
): RawBuilder<unknown> {
  const order = orderOf(query.sortBy)
  // An index has the notes of a course and a year by date.
  const year = query.academicYear && query.sortBy !== 'likes' ? [ofYear(query.academicYear)] : []
  const ofCourse = and([sql`n.course_key = ${key}`, ...year, ...afterCursor(query)])
  const nearest = sql`(SELECT * FROM ${shownNotes} n WHERE ${ofCourse} ${order} LIMIT ${sql.lit(walked)})`
  const found = sql`SELECT id FROM ${nearest} n WHERE ${and(filters)} ${order} LIMIT ${sql.lit(limit)}`
  return sql`SELECT n.* FROM (${found}) found JOIN ${visibleNotes(viewer)} n USING (id)`
}

/** Those of the nearest notes that fit. What is not among them is seen in indexes alone. */
function walk(
  viewer: Viewer,
  query: NoteQuery,
  filters: RawBuilder<unknown>[],
  limit: number,
  walked: number,
): RawBuilder<unknown> {
  const order = orderOf(query.sortBy)
  const found = sql`
    SELECT id FROM ${nearestNotes(viewer, query, walked)} n WHERE ${and(filters)} ${order} LIMIT ${sql.lit(limit)}`
  return sql`SELECT n.* FROM (${found}) found JOIN ${visibleNotes(viewer)} n USING (id)`
}

/** The first of those that fit, if they are few; else nothing. The index of keys takes some 20 ms at most to say which fit. */
function fewOf(viewer: Viewer, query: NoteQuery, limit: number): RawBuilder<unknown> {
  const place = query.sortBy === 'likes' ? sql`n.likes` : sql`n.created_at`
  return sql`
    WITH found AS MATERIALIZED (
      SELECT n.id, ${place} FROM ${visibleNotes(viewer)} n WHERE ${and([...afterCursor(query), hasKeys(query)])}
       LIMIT ${sql.lit(collectedNotes + 1)})
    SELECT n.*
      FROM (SELECT n.id FROM found n WHERE (SELECT count(*) FROM found) <= ${sql.lit(collectedNotes)}
             ${orderOf(query.sortBy)} LIMIT ${sql.lit(limit)}) f
      JOIN ${visibleNotes(viewer)} n USING (id)`
}

/**
 * What filters look at of the nearest notes after a cursor. Notes of very many words have an index of their own; see
 * `has_few_words` in db/schema.sql.
 */
function nearestNotes(viewer: Viewer, cursor: NoteOrder, walked: number): RawBuilder<unknown> {
  const order = orderOf(cursor.sortBy)
  const place = cursor.sortBy === 'likes' ? sql`likes` : sql`created_at`
  const part = (isMeant: RawBuilder<unknown>) => sql`
    (SELECT id, ${place}, title_words, instructor_words, course_key, academic_year FROM ${visibleNotes(viewer)} n
      WHERE ${and([...afterCursor(cursor), isMeant])} ${order} LIMIT ${sql.lit(walked)})`
  const hasFewWords = sql`has_few_words(n.title_words, n.instructor_words, n.course_key)`
  const both = sql`${part(hasFewWords)} UNION ALL ${part(sql`NOT ${hasFewWords}`)}`
  return sql`(SELECT * FROM (${both}) n ${order} LIMIT ${sql.lit(walked)})`
}

/** Counted up to `limit`: among the newest first, where common words have that many. */
export async function countNotes(
  db: Db,
  viewer: Viewer,
  query: NoteCountQuery,
  limit: number,
  walked = walkedNotes,
): Promise<number> {
  const { scope, academicYear, ...filters } = query
  const notes = notesFor(scope, viewer)
  const year = academicYear ? [ofYear(academicYear)] : []
  const count = async (source: RawBuilder<unknown>, conditions: RawBuilder<unknown>[]) => {
    const all = sql`SELECT FROM ${source} n WHERE ${and([...year, ...conditions])} LIMIT ${limit}`
    const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM (${all}) n`.execute(db)
    return rows[0]?.count ?? 0
  }
  if (scope !== 'all') return count(notes, matching(filters))
  const newest = nearestNotes(viewer, { sortBy: 'createdAt' }, walked)
  if ((await count(newest, matching(filters))) === limit) return limit
  return count(notes, [hasKeys(filters)])
}

function inScope(scope: Scope): RawBuilder<unknown>[] {
  return typeof scope === 'string' ? [] : [isSharedByName(scope.sharedBy)]
}

/** What the conditions of a scope are on. */
function notesFor(scope: Scope, viewer: Viewer): RawBuilder<unknown> {
  if (scope === 'mine') return ownNotes(viewer)
  return scope === 'liked' ? likedNotes(viewer) : visibleNotes(viewer)
}

/** OFFSET 0: looked up from the likes, however few others a filter leaves. */
const likedNotes = (viewer: Viewer) => sql`(
  SELECT n.* FROM ratings r, LATERAL (SELECT * FROM ${visibleNotes(viewer)} n WHERE n.id = r.note_id OFFSET 0) n
   WHERE r.user_id = ${viewer.id} AND r.liked)`

/** When a note was made stands with its ratings, so that an index has what somebody likes in that order. */
function likedNewest(viewer: Viewer, query: NoteQuery, limit: number): RawBuilder<unknown> {
  const liked = sql`(SELECT note_id AS id, note_created_at AS created_at FROM ratings WHERE user_id = ${viewer.id} AND liked)`
  return sql`(
    SELECT v.* FROM ${liked} n JOIN ${visibleNotes(viewer)} v USING (id)
     WHERE ${and(afterCursor(query))} ${orderOf('createdAt')} LIMIT ${sql.lit(limit)})`
}

/** Of somebody who likes much: those of the most liked notes that they like. IS TRUE: looked for in a table made once, not joined. */
function likedAmongMostLiked(viewer: Viewer, query: NoteQuery, limit: number, walked: number): RawBuilder<unknown> {
  const liked = likedBy(viewer)
  const order = orderOf('likes')
  const mostLiked = sql`
    SELECT id, likes FROM ${visibleNotes(viewer)} n WHERE ${and(afterCursor(query))} ${order} LIMIT ${sql.lit(walked)}`
  const found = sql`
    SELECT id FROM (${mostLiked}) n
     WHERE ${countUpTo(fewLikes + 1, liked)} > ${sql.lit(fewLikes)} AND (id IN (${liked})) IS TRUE
     ${order} LIMIT ${sql.lit(limit)}`
  return sql`SELECT n.* FROM (${found}) found JOIN ${visibleNotes(viewer)} n USING (id)`
}

/** All that somebody likes, if it is little; else nothing. */
function fewLiked(viewer: Viewer, query: NoteQuery): RawBuilder<unknown> {
  const isLittle = sql`${countUpTo(fewLikes + 1, likedBy(viewer))} <= ${sql.lit(fewLikes)}`
  return sql`SELECT * FROM ${likedNotes(viewer)} n WHERE ${and([...afterCursor(query), isLittle])}`
}

const likedBy = (viewer: Viewer) => sql`SELECT note_id FROM ratings WHERE user_id = ${viewer.id} AND liked`
const countUpTo = (most: number, source: RawBuilder<unknown>) =>
  sql`(SELECT count(*) FROM (${source} LIMIT ${sql.lit(most)}) s)`

/** One's own notes keep the order in which they were chosen for an upload; others are told when each came. */
const listedAt = sql`coalesce(n.listed_at, n.created_at)`

function ownOrder({ sortBy, groupBy }: NoteQuery): RawBuilder<unknown> {
  const inCourse = sortBy === 'likes' ? sql`n.likes DESC, n.id DESC` : sql`${listedAt} DESC, n.id DESC`
  return groupBy ? sql`ORDER BY n.course_key, ${inCourse}` : sql`ORDER BY ${inCourse}`
}

function afterOwn(viewer: Viewer, query: NoteQuery): RawBuilder<unknown>[] {
  const { sortBy, cursorId, groupBy, cursorCourse } = query
  if (cursorId === undefined) return []
  const after = sortBy === 'likes' ? and(afterCursor(query)) : afterMoment(viewer, query)
  if (groupBy === undefined) return [after]
  const course = foldCourseCode(cursorCourse ?? '')
  return [sql`(n.course_key > ${course} OR (n.course_key = ${course} AND ${after}))`]
}

function afterMoment(viewer: Viewer, { cursorId, cursorValue }: NoteQuery): RawBuilder<unknown> {
  // As a date, because PostgreSQL's text form has no year 0000, which a cursor may name.
  const made = sql`${new Date(cursorValue ?? '')}::timestamptz`
  // Of a note that is gone nobody knows the place any more. It was no later than when the note was made: some of its
  // upload may come twice, none is left out.
  const place = sql`(SELECT ${listedAt} FROM ${ownNotes(viewer)} n WHERE n.id = ${cursorId})`
  return sql`(${listedAt}, n.id) < (coalesce(${place}, ${made}), ${cursorId}::uuid)`
}

const ofYear = (year: string) => sql`n.academic_year = ${year}`

/** What filters ask of a note that is looked at; `hasKeys` finds the same by an index. */
export function matching({ courseCode, title, instructor }: Filters): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (courseCode) conditions.push(beginsWith(sql`n.course_key`, foldCourseCode(courseCode)))
  if (title) conditions.push(...hasWords(sql`n.title_words`, title))
  if (instructor) conditions.push(...hasWords(sql`n.instructor_words`, instructor))
  return conditions
}

/** Every word, by prefix, in any order; a text with nothing to look for finds nothing. No word holds a quote. */
function hasWords(column: RawBuilder<unknown>, text: string): RawBuilder<unknown>[] {
  const words = soughtWords(text).map((word) => `'${word}':*`)
  return words.length === 0 ? [sql`false`] : words.map((word) => sql`${column} @@ ${word}::tsquery`)
}

/** The keys are those of `filter_keys` in db/schema.sql. Making a note's takes far longer than looking at its words. */
function hasKeys({ courseCode, title, instructor, academicYear }: Filters & Pick<NoteQuery, 'academicYear'>) {
  const sought = [
    ...(courseCode ? [['c', [foldCourseCode(courseCode)]] as const] : []),
    ...(title ? [['t', soughtWords(title)] as const] : []),
    ...(instructor ? [['i', soughtWords(instructor)] as const] : []),
    ...(academicYear ? [['y', [academicYear]] as const] : []),
  ]
  if (sought.length === 0) return sql`true`
  // A text with nothing to look for finds nothing.
  if (sought.some(([, words]) => words.join('') === '')) return sql`false`
  const keys = sought.flatMap(([mark, words]) => words.map((word) => mark + word))
  return sql`filter_keys(n.title_words, n.instructor_words, n.course_key, n.academic_year) @> ${keys}::text[]`
}

const beginsWith = (column: RawBuilder<unknown>, prefix: string) =>
  prefix === '' ? sql`false` : sql`${column} LIKE ${`${prefix.replace(/[\\%_]/g, '\\$&')}%`}`
