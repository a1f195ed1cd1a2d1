import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hasChangedRow } from '../../../platform/db/sql.ts'

/** `until` is null if the suspension lasts until it is lifted. */
export type ActiveSuspension = { until: Date | null; reason: string }
export const isActive = sql<boolean>`(until IS NULL OR until > now())`
const inDays = (days: number | null) => sql<Date | null>`now() + ${days}::integer * interval '1 day'`

export type Suspension = ActiveSuspension & { userId: string; at: Date; hidesNotes: boolean }

/** For FROM: active suspensions of accounts. */
export const accountSuspensions: RawBuilder<Suspension> = sql<Suspension>`(
  SELECT user_id AS "userId", suspended_at AS at, until, reason, hides_notes AS "hidesNotes"
    FROM suspensions WHERE ${isActive})`

export async function saveSuspension(
  tx: Tx,
  userId: string,
  { days, reason, hidesNotes }: { days: number | null; reason: string; hidesNotes: boolean },
): Promise<void> {
  const values = { suspended_at: sql<Date>`now()`, until: inDays(days), reason, hides_notes: hidesNotes }
  await tx
    .insertInto('suspensions')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** @returns false if there is no active suspension. */
export function deleteSuspension(tx: Tx, userId: string): Promise<boolean> {
  return hasChangedRow(tx.deleteFrom('suspensions').where('user_id', '=', userId).where(isActive))
}

export async function saveNoteSuspension(
  tx: Tx,
  noteId: string,
  { days, reason }: { days: number | null; reason: string },
): Promise<void> {
  const values = { suspended_at: sql<Date>`now()`, until: inDays(days), reason }
  await tx
    .insertInto('note_author_suspensions')
    .values({ note_id: noteId, ...values })
    .onConflict((conflict) => conflict.column('note_id').doUpdateSet(values))
    .execute()
}

/** @returns false if there is no active suspension. */
export function deleteNoteSuspension(tx: Tx, noteId: string): Promise<boolean> {
  return hasChangedRow(tx.deleteFrom('note_author_suspensions').where('note_id', '=', noteId).where(isActive))
}

const selectNoteSuspensions = (db: Db) =>
  db
    .selectFrom('note_author_suspensions')
    .select(['note_id as noteId', 'suspended_at as at', 'until', 'reason'])
    .where(isActive)
    .orderBy('suspended_at', 'desc')

/** Returns the latest suspension first. */
export const findNoteSuspensions = (db: Db) => selectNoteSuspensions(db).execute()

export async function findNoteSuspension(db: Db, noteId: string): Promise<ActiveSuspension | null> {
  return (await selectNoteSuspensions(db).where('note_id', '=', noteId).executeTakeFirst()) ?? null
}

export async function findSuspension(db: Db, userId: string): Promise<ActiveSuspension | null> {
  const suspensions = db.selectFrom(accountSuspensions.as('s')).select(['until', 'reason'])
  return (await suspensions.where('userId', '=', userId).executeTakeFirst()) ?? null
}
