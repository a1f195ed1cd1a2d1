import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { visibleNotes } from '../notes/visible-notes.ts'

export type Frequency = 'daily' | 'weekly'

/** Mails are due at 6:00 UTC, weekly ones on Monday. */
const nextDueAt = sql`CASE frequency
  WHEN 'daily' THEN date_trunc('day', now() - interval '6 hours', 'UTC') + interval '30 hours'
  WHEN 'weekly' THEN date_trunc('week', now() - interval '6 hours', 'UTC') + interval '174 hours' END`

export async function findFrequency(db: Db, userId: string): Promise<Frequency | null> {
  const row = await db.selectFrom('course_digests').select('frequency').where('user_id', '=', userId).executeTakeFirst()
  return (row?.frequency ?? null) as Frequency | null
}

/** A user who turns digests on is informed only of later notes. */
export async function saveFrequency(tx: Tx, userId: string, frequency: Frequency | null): Promise<void> {
  await sql`
    INSERT INTO course_digests AS m (user_id) VALUES (${userId})
    ON CONFLICT (user_id) DO UPDATE
       SET notified_until = CASE WHEN m.frequency IS NULL THEN now() ELSE m.notified_until END`.execute(tx)
  await sql`
    UPDATE course_digests SET frequency = given.frequency, due_at = given.due_at
      FROM (SELECT frequency, ${nextDueAt} AS due_at FROM (VALUES (${frequency}::text)) AS f (frequency)) AS given
     WHERE user_id = ${userId}`.execute(tx)
}

export async function unsubscribe(db: Db, id: string): Promise<void> {
  await db.updateTable('course_digests').set({ frequency: null, due_at: null }).where('id', '=', id).execute()
}

/** A user's digest by its sequence number. */
export type Planned = { userId: string; number: number }

/** Plans the next digest of at most `limit` users whose digest is due, each in one transaction only. */
export async function planDueDigests(tx: Tx, limit: number): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    UPDATE course_digests m SET last_planned = m.last_planned + 1, due_at = ${nextDueAt}
      FROM (SELECT id FROM course_digests WHERE due_at <= now() ORDER BY due_at LIMIT ${sql.lit(limit)} FOR UPDATE SKIP LOCKED) due
     WHERE m.id = due.id
    RETURNING m.user_id AS "userId", m.last_planned AS number`.execute(tx)
  return rows
}

export type PendingDigest = { id: string; frequency: Frequency; notifiedUntil: Date; until: Date }

/** Newer notes may belong to transactions that are not committed yet; they are left to the next digest. */
const settledAfter = sql`interval '1 minute'`

/** Returns null if the digest was started, a later one was planned, or digests were turned off. */
export async function findPendingDigest(db: Db, { userId, number }: Planned): Promise<PendingDigest | null> {
  const { rows } = await sql<PendingDigest>`
    SELECT id, frequency, notified_until AS "notifiedUntil", now() - ${settledAfter} AS until FROM course_digests
     WHERE user_id = ${userId} AND last_planned = ${number} AND last_started < ${number} AND frequency IS NOT NULL`.execute(
    db,
  )
  return rows[0] ?? null
}

/** @returns false if the digest was started before, so that it may have been sent, or is no longer wanted. */
export async function markDigestStarted(db: Db, { userId, number }: Planned): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE course_digests SET last_started = ${number}
     WHERE user_id = ${userId} AND last_planned = ${number} AND last_started < ${number} AND frequency IS NOT NULL`.execute(
    db,
  )
  return numAffectedRows === 1n
}

/** Call this only if the mail was certainly not sent. */
export async function unmarkDigestStarted(db: Db, { userId, number }: Planned): Promise<void> {
  await sql`UPDATE course_digests SET last_started = last_started - 1 WHERE user_id = ${userId} AND last_started = ${number}`.execute(
    db,
  )
}

export async function saveNotifiedUntil(db: Db, userId: string, until: Date): Promise<void> {
  await db
    .updateTable('course_digests')
    .set({ notified_until: sql<Date>`greatest(notified_until, ${until})` })
    .where('user_id', '=', userId)
    .execute()
}

/** Counts other users' notes per course since the last digest, or since the viewer followed the course. */
export async function countNews(
  db: Db,
  viewer: Viewer,
  { notifiedUntil, until }: Pick<PendingDigest, 'notifiedUntil' | 'until'>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; notes: number }>`
    SELECT f.course_key AS key, new.notes FROM course_follows f
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS notes FROM ${visibleNotes(viewer)} n
        WHERE n.course_key = f.course_key AND n.user_id IS DISTINCT FROM ${viewer.id}
          AND n.created_at > greatest(${notifiedUntil}::timestamptz, f.followed_at) AND n.created_at <= ${until}) new
     WHERE f.user_id = ${viewer.id} AND new.notes > 0`.execute(db)
  return new Map(rows.map(({ key, notes }) => [key, notes]))
}
