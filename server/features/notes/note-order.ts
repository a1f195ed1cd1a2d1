import { type RawBuilder, sql } from 'kysely'
import type { NoteOrder, SortKey } from '../../../packages/contract/search.ts'

/** The columns of the two orders of lists of notes, which are called `n`. */
export const orderColumns = (sortBy: SortKey): RawBuilder<unknown> =>
  sortBy === 'likes' ? sql`n.likes DESC, n.id DESC` : sql`n.created_at DESC, n.id DESC`

export const orderOf = (sortBy: SortKey): RawBuilder<unknown> => sql`ORDER BY ${orderColumns(sortBy)}`

/** Those behind the cursor, where there is one. */
export function afterCursor({ sortBy, cursorId, cursorValue }: NoteOrder): RawBuilder<unknown>[] {
  if (cursorId === undefined) return []
  if (sortBy === 'likes') return [sql`(n.likes, n.id) < (${cursorValue}::integer, ${cursorId}::uuid)`]
  // As a date, because PostgreSQL's text form has no year 0000, which a cursor may name.
  return [sql`(n.created_at, n.id) < (${new Date(cursorValue ?? '')}::timestamptz, ${cursorId}::uuid)`]
}
