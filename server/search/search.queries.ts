import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../contract/course-code.ts'
import { likedNotesDisplayLimit } from '../../contract/limits.ts'
import type { Note } from '../../contract/notes.ts'
import type { NoteQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { foldWords } from './fold.ts'

export type Scope = 'all' | 'mine' | 'liked'

type NoteRow = {
  id: string
  title: string
  course_code: string
  academic_year: string
  instructor: string | null
  is_anonymous: boolean
  author_id: string | null
  author_name: string | null
  created_at: Date
  likes: number
  dislikes: number
}

/**
 * Notes as `viewerId` may see them: the author of an anonymous one never leaves the database, except for themself.
 * @param source the table, or a subquery of some of its rows.
 */
const selectNotes = (viewerId: string, source = sql`notes`) => {
  const hidden = sql`n.is_anonymous AND n.user_id <> ${viewerId}`
  return sql`
    SELECT n.id, n.title, n.course_code, n.academic_year, n.instructor, n.is_anonymous, n.created_at, n.likes, n.dislikes,
           CASE WHEN ${hidden} THEN NULL ELSE u.id END AS author_id,
           CASE WHEN ${hidden} THEN NULL ELSE u.name END AS author_name
      FROM ${source} n JOIN users u ON u.id = n.user_id`
}

function toNote(row: NoteRow): Note {
  return {
    _id: row.id,
    title: row.title,
    courseCode: row.course_code,
    academicYear: row.academic_year,
    ...(row.instructor !== null && { instructor: row.instructor }),
    isAnonymous: row.is_anonymous,
    user: row.author_id !== null && row.author_name !== null ? { _id: row.author_id, name: row.author_name } : null,
    createdAt: row.created_at.toISOString(),
    likes: row.likes,
    dislikes: row.dislikes,
  }
}

async function runNoteQuery(db: Db, query: RawBuilder<unknown>): Promise<Note[]> {
  const { rows } = await (query as RawBuilder<NoteRow>).execute(db)
  return rows.map(toNote)
}

/** At most `limit` notes of a scope after the query's cursor, in its order. */
export function findNotes(db: Db, scope: Scope, viewerId: string, query: NoteQuery, limit: number): Promise<Note[]> {
  const conditions = [sql`true`]
  if (scope === 'mine') conditions.push(sql`n.user_id = ${viewerId}`)
  if (scope === 'liked') {
    conditions.push(sql`EXISTS (
      SELECT FROM ratings r WHERE r.user_id = ${viewerId} AND r.note_id = n.id AND r.liked)`)
  }
  if (query.courseCode) conditions.push(sql`n.course_key LIKE ${likePrefix(foldCourseCode(query.courseCode))}`)
  if (query.academicYear) conditions.push(sql`n.academic_year = ${query.academicYear}`)
  if (query.title) conditions.push(hasWords(sql`n.title_words`, query.title))
  if (query.instructor) conditions.push(hasWords(sql`n.instructor_words`, query.instructor))

  const byLikes = query.sortBy === 'likes'
  const key = byLikes ? sql`n.likes` : sql`n.created_at`
  if (query.cursorId !== undefined) {
    const value = byLikes
      ? sql`${query.cursorValue}::integer`
      : // As a date, because PostgreSQL's text form has no year 0000, which a cursor may name.
        sql`${new Date(query.cursorValue ?? '')}::timestamptz`
    conditions.push(sql`(${key}, n.id) < (${value}, ${query.cursorId}::uuid)`)
  }
  const order = sql`ORDER BY ${key} DESC, n.id DESC`
  // The page is cut before its authors are looked up: no plan does so by itself.
  const page = sql`(SELECT * FROM notes n WHERE ${sql.join(conditions, sql` AND `)} ${order} LIMIT ${limit})`
  return runNoteQuery(db, sql`${selectNotes(viewerId, page)} ${order}`)
}

export async function findNote(db: Db, viewerId: string, noteId: string): Promise<Note | null> {
  const notes = await runNoteQuery(db, sql`${selectNotes(viewerId)} WHERE n.id = ${noteId}`)
  return notes[0] ?? null
}

/** The given notes, in the order given. */
export function findNotesById(db: Db, viewerId: string, noteIds: string[]): Promise<Note[]> {
  return runNoteQuery(
    db,
    sql`${selectNotes(viewerId)} WHERE n.id = ANY(${noteIds}::uuid[]) ORDER BY array_position(${noteIds}::uuid[], n.id)`,
  )
}

/** The notes a user liked last, for the user's own `likedNotesDisplay`. */
export function findLikedNotesDisplay(db: Db, userId: string): Promise<Note[]> {
  return runNoteQuery(
    db,
    sql`${selectNotes(userId)} JOIN ratings r ON r.note_id = n.id AND r.user_id = ${userId} AND r.liked
        ORDER BY r.created_at DESC, n.id DESC LIMIT ${likedNotesDisplayLimit}`,
  )
}

export function findRecentlyViewedNotes(db: Db, userId: string): Promise<Note[]> {
  return runNoteQuery(
    db,
    sql`${selectNotes(userId)} JOIN recently_viewed v ON v.note_id = n.id AND v.user_id = ${userId} ORDER BY v.position`,
  )
}

/** Every word, by prefix, in any order. Words hold letters and digits only, so quoting them is safe. */
function hasWords(column: RawBuilder<unknown>, text: string) {
  const words = foldWords(text).map((word) => `'${word}':*`)
  return words.length === 0 ? sql`true` : sql`${column} @@ ${words.join(' & ')}::tsquery`
}

const likePrefix = (prefix: string) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`
