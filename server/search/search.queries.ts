import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../contract/course-code.ts'
import type { Note } from '../../contract/notes.ts'
import type { NoteQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { foldWords } from '../notes/fold.ts'
import { readNotes, visibleNotes } from '../notes/visible-notes.ts'

export type Scope = 'all' | 'mine' | 'liked'

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
  const page = sql`(SELECT * FROM ${visibleNotes(viewerId)} n WHERE ${sql.join(conditions, sql` AND `)} ${order} LIMIT ${limit})`
  return readNotes(db, page, order)
}

/** Every word, by prefix, in any order. Words hold letters and digits only, so quoting them is safe. */
function hasWords(column: RawBuilder<unknown>, text: string) {
  const words = foldWords(text).map((word) => `'${word}':*`)
  return words.length === 0 ? sql`true` : sql`${column} @@ ${words.join(' & ')}::tsquery`
}

const likePrefix = (prefix: string) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`
