import { type RawBuilder, sql } from 'kysely'
import type { NoteOrder, SortKey } from '../../../packages/contract/search.ts'

/** The sort columns of note lists; the query must name its notes `n`. */
export const orderColumns = (sortBy: SortKey): RawBuilder<unknown> =>
  sortBy === 'likes' ? sql`n.likes DESC, n.id DESC` : sql`n.created_at DESC, n.id DESC`

export const orderOf = (sortBy: SortKey): RawBuilder<unknown> => sql`ORDER BY ${orderColumns(sortBy)}`

/** Returns the condition for notes after the cursor, if the query has one. */
export function afterCursor({ sortBy, cursorId, cursorValue }: NoteOrder): RawBuilder<unknown>[] {
  if (cursorId === undefined) return []
  if (sortBy === 'likes') return [sql`(n.likes, n.id) < (${cursorValue}::integer, ${cursorId}::uuid)`]
  // The value is sent as a date, because PostgreSQL's text format has no year 0000, which a cursor may contain.
  return [sql`(n.created_at, n.id) < (${new Date(cursorValue ?? '')}::timestamptz, ${cursorId}::uuid)`]
}
