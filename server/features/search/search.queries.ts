import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import type { NoteCountQuery, NoteQuery } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import { type QueryRunner, queryTimeoutMs } from '../../platform/db/query-with-timeout.ts'
import { bitmapScanSettings } from '../../platform/db/set-local.ts'
import { and } from '../../platform/db/sql.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import {
  afterCursor,
  isAttributedTo,
  orderOf,
  ownNotes,
  publishedNotes,
  readNotes,
  visibleNotes,
} from '../notes/visible-notes.ts'
import { activeFilters, filterKeys, matchesFilterKeys, toFilterConditions } from './filters.ts'

export type Scope = 'all' | 'mine' | 'liked' | { sharedBy: string }

/**
 * A filtered list first scans this many notes in its order, which is enough for common words. The first scan is short,
 * and the next follows only if its notes are likely to fill the page.
 */
const scanned = { createdAt: [500, 5_000], likes: [500] }

/**
 * Returns at most `limit` notes of a scope after the query's cursor, in its order.
 *
 * PostgreSQL misestimates whether an ordered scan or the word index fills a page sooner, and a wrong plan reads the
 * whole table. So a limited number of the next notes is scanned first, and the index is used only if these do not fill
 * the page.
 */
export async function findNotes(
  { read, queryWithTimeout }: QueryRunner,
  scope: Scope,
  viewer: Viewer,
  query: NoteQuery,
  limit: number,
  scan = scanned,
): Promise<Note[]> {
  const { sortBy } = query
  const keys = filterKeys(query)
  if (keys === null) return []
  const order = scope === 'mine' ? ownOrder(query) : orderOf(sortBy)
  const after = scope === 'mine' ? afterOwn(viewer, query) : afterCursor(query)
  // The page is limited before its authors are joined, which PostgreSQL's planner does not do.
  const take = (db: Db, source: RawBuilder<unknown>) =>
    readNotes(db, viewer, sql`(${source} ${order} LIMIT ${sql.lit(limit)})`, order)
  if (scope !== 'all') {
    const isInOrder = keys.length === 0 && scope !== 'liked' && !query.groupBy && sortBy === 'createdAt'
    const all = sql`SELECT n.* FROM ${notesOf(scope, viewer)} n ${keys.length === 0 ? sql`` : searchRow} WHERE ${and([...after, toFilterConditions(keys)])}`
    if (isInOrder) return read((db) => take(db, sql`SELECT * FROM ${notesOf(scope, viewer)} n WHERE ${and(after)}`))
    return queryWithTimeout(
      viewer,
      queryTimeoutMs,
      (db) => take(db, sql`SELECT * FROM (${all} OFFSET 0) n`),
      bitmapScanSettings,
    )
  }
  const active = activeFilters(query)
  const hasIndex = active.length === 1 && active[0]?.column?.index !== undefined && sortBy !== 'likes'
  if (keys.length === 0 || hasIndex) {
    const conditions = [...active.flatMap(({ column, value }) => column?.is(value) ?? []), ...after]
    return read((db) => take(db, sql`SELECT * FROM ${visibleNotes(viewer)} n WHERE ${and(conditions)}`))
  }
  const visible = (ids: RawBuilder<unknown>) =>
    sql`SELECT n.* FROM (${ids}) f JOIN ${visibleNotes(viewer)} n USING (id)`
  // Search rows have an index by date, so that their notes need not be read.
  const rows =
    sortBy === 'likes'
      ? sql`(SELECT n.*, s.filter FROM ${publishedNotes} n ${searchRow})`
      : sql`(SELECT note_id AS id, created_at, filter FROM note_search WHERE NOT hidden)`
  for (const [at, size] of scan[sortBy].entries()) {
    const next = sql`(SELECT * FROM ${rows} n WHERE ${and(after)} ${order} LIMIT ${sql.lit(size)})`
    const near = sql`SELECT n.id FROM ${next} n, LATERAL (SELECT n.filter) s WHERE ${toFilterConditions(keys)} ${order} LIMIT ${sql.lit(limit)}`
    const found = await read((db) => take(db, visible(near)))
    if (found.length === limit) return found
    if (found.length * ((scan[sortBy][at + 1] ?? 0) / size) < limit) break
  }
  // OFFSET 0 separates the order from the search, so that PostgreSQL does not choose an ordered scan.
  const rest = sql`SELECT * FROM (${visible(sql`SELECT note_id AS id FROM note_search s WHERE ${matchesFilterKeys(keys)} OFFSET 0`)} OFFSET 0) n`
  return queryWithTimeout(
    viewer,
    queryTimeoutMs,
    (db) => take(db, sql`${rest} WHERE ${and(after)}`),
    bitmapScanSettings,
  )
}

/** Counts notes up to `limit`, first among the newest, which is enough for common words. */
export async function countNotes(
  db: Db,
  viewer: Viewer,
  query: NoteCountQuery,
  limit: number,
  scan = 10_000,
): Promise<number> {
  const keys = filterKeys(query)
  if (keys === null) return 0
  const count = async (source: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM (SELECT FROM ${source} LIMIT ${limit}) n`.execute(db)
    return rows[0]?.count ?? 0
  }
  if (query.scope !== 'all' || keys.length === 0)
    return count(sql`${notesOf(query.scope, viewer)} n ${searchRow} WHERE ${toFilterConditions(keys)}`)
  const newest = sql`(SELECT filter FROM note_search WHERE NOT hidden ORDER BY created_at DESC, note_id DESC LIMIT ${sql.lit(scan)})`
  const near = await count(sql`${newest} s WHERE ${toFilterConditions(keys)}`)
  return near === limit ? near : count(sql`note_search s WHERE ${matchesFilterKeys(keys)}`)
}

/** Returns the ids of the viewer's own or liked notes, which are few; null for all notes. */
export async function findIdsOf(db: Db, scope: NoteCountQuery['scope'], viewer: Viewer): Promise<string[] | null> {
  if (scope === 'all') return null
  const { rows } = await sql<{ id: string }>`SELECT n.id FROM ${notesOf(scope, viewer)} n`.execute(db)
  return rows.map(({ id }) => id)
}

/** The source of notes of a scope, for FROM. */
function notesOf(scope: Scope, viewer: Viewer): RawBuilder<unknown> {
  if (scope === 'mine') return ownNotes(viewer)
  if (scope === 'liked') return likedNotes(viewer)
  if (scope === 'all') return visibleNotes(viewer)
  return sql`(SELECT * FROM ${visibleNotes(viewer)} n WHERE ${isAttributedTo(scope.sharedBy)})`
}

/** OFFSET 0 makes PostgreSQL start from the likes, however few notes a filter leaves. */
const likedNotes = (viewer: Viewer) => sql`(
  SELECT n.* FROM ratings r, LATERAL (SELECT * FROM ${visibleNotes(viewer)} n WHERE n.id = r.note_id OFFSET 0) n
   WHERE r.user_id = ${viewer.id} AND r.liked)`

/** Users see their own notes in the order that they chose in an upload; others see when each was shared. */
const listedAt = sql`coalesce(n.own_sort_at, n.created_at)`

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
  // Converted to a date, because PostgreSQL's text form has no year 0000, which a cursor may contain.
  const made = sql`${new Date(cursorValue ?? '')}::timestamptz`
  // The position of a deleted note is unknown but not later than its creation: some notes of its upload may be returned
  // twice, and none is skipped.
  const place = sql`(SELECT ${listedAt} FROM ${ownNotes(viewer)} n WHERE n.id = ${cursorId})`
  return sql`(${listedAt}, n.id) < (coalesce(${place}, ${made}), ${cursorId}::uuid)`
}

const searchRow = sql`JOIN note_search s ON s.note_id = n.id`
