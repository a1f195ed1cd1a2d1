import { type RawBuilder, sql } from 'kysely'
import { type AuthorStats, authorStatsWeeks } from '../../../../packages/contract/author-stats.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { nilId, type Viewer } from '../../../platform/db/viewer.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { visibleNotes } from '../visible-notes.ts'

/** Anonymous notes are counted like all others, because only their author sees the numbers. */
export async function describeAuthorStats(db: Db, viewer: Viewer): Promise<AuthorStats> {
  const [totals, weeks] = await Promise.all([findTotals(db, viewer.id), findWeeks(db, viewer.id)])
  return { ...totals, weeks }
}

const batchSize = 200

/**
 * Sums up the rows of each week, one owner at a time. The owner is locked first, as in a deletion, with a lock that
 * openings and likes do not wait for.
 */
export async function compactAuthorStats(db: Db, signal: AbortSignal): Promise<void> {
  let owners = await findOwnersToCompact(db, nilId, batchSize)
  while (owners.length > 0 && !signal.aborted) {
    for (const ownerId of owners) {
      await inTransaction(db, async (tx) => {
        await lockUser(tx, ownerId)
        await compactWeeks(tx, ownerId)
      })
    }
    owners = await findOwnersToCompact(db, owners.at(-1) ?? nilId, batchSize)
  }
}

const today = sql`(now() AT TIME ZONE 'UTC')::date`
const weekOf = (moment: RawBuilder<unknown>) => sql`date_trunc('week', ${moment} AT TIME ZONE 'UTC')::date`
const thisWeek = weekOf(sql`now()`)

async function findTotals(db: Db, ownerId: string): Promise<Omit<AuthorStats, 'weeks'>> {
  const { rows } = await sql<Omit<AuthorStats, 'weeks'>>`
    SELECT (SELECT count(*) FROM author_readers WHERE owner_id = ${ownerId}) AS helped,
           coalesce(sum(views), 0)::bigint AS opened, coalesce(sum(likes), 0)::bigint AS liked
      FROM author_weekly_stats WHERE owner_id = ${ownerId}`.execute(db)
  return rows[0] ?? { helped: 0, opened: 0, liked: 0 }
}

/** Returns the latest weeks, including those without counts, oldest first. */
async function findWeeks(db: Db, ownerId: string): Promise<AuthorStats['weeks']> {
  const { rows } = await sql<AuthorStats['weeks'][number]>`
    SELECT to_char(w.week, 'YYYY-MM-DD') AS week, coalesce(sum(s.views), 0)::integer AS opened,
           coalesce(sum(s.likes), 0)::integer AS liked
      FROM (SELECT ${thisWeek} - 7 * back AS week FROM generate_series(${authorStatsWeeks - 1}::int, 0, -1) AS back) w
      LEFT JOIN author_weekly_stats s ON s.owner_id = ${ownerId} AND s.week = w.week
     GROUP BY w.week
     ORDER BY w.week`.execute(db)
  return rows
}

/**
 * Counts that a student opened another user's note, at most once a day. Like all counting here it must come last in a
 * transaction that already holds the note's lock, to avoid deadlocks.
 */
export async function recordView(tx: Tx, viewer: Viewer, noteId: string): Promise<void> {
  await sql`
    WITH opened AS (
      SELECT n.id, n.user_id AS owner_id
        FROM ${visibleNotes(viewer)} n WHERE n.id = ${noteId} AND n.user_id <> ${viewer.id}),
    earlier AS (DELETE FROM daily_note_views WHERE reader_id = ${viewer.id} AND day < ${today}),
    counted AS (
      INSERT INTO daily_note_views (reader_id, day, note_id) SELECT ${viewer.id}, ${today}, id FROM opened
      ON CONFLICT DO NOTHING RETURNING note_id),
    reader AS (INSERT INTO author_readers SELECT owner_id, ${viewer.id} FROM opened ON CONFLICT DO NOTHING)
    INSERT INTO author_weekly_stats (owner_id, week, views)
    SELECT owner_id, ${thisWeek}, 1 FROM opened JOIN counted ON note_id = id`.execute(tx)
}

/**
 * For WITH, in a statement that changes a rating and locks the note, so that a like takes one round trip: a new like
 * counts in the current week, a withdrawn one is subtracted from the week it was given in. A reader who withdraws a like
 * still counts as helped.
 * @param changed has `owner_id`, whether the reader likes the note `before` and `after`, and `given_at` of the rating
 *   before.
 */
export const countingLikes = (readerId: string, changed: RawBuilder<unknown>) => sql`
    likers AS (
      INSERT INTO author_readers SELECT owner_id, ${readerId} FROM ${changed} WHERE owner_id IS NOT NULL AND after
      ON CONFLICT DO NOTHING),
    liked_weeks AS (
      INSERT INTO author_weekly_stats (owner_id, week, likes)
      SELECT owner_id, CASE WHEN after THEN ${thisWeek} ELSE ${weekOf(sql`given_at`)} END, CASE WHEN after THEN 1 ELSE -1 END
        FROM ${changed} WHERE owner_id IS NOT NULL AND (before IS TRUE OR after IS TRUE))`

/**
 * Subtracts deleted likes from the weeks they were given in. Users who gave them still count as helped.
 * @param gone has the `owner_id` of the note, which is null if that account was deleted, and `given_at` of each like.
 */
export const subtractLikes = (gone: RawBuilder<unknown>) => sql`
  INSERT INTO author_weekly_stats (owner_id, week, likes)
  SELECT owner_id, ${weekOf(sql`given_at`)}, -count(*)::integer FROM ${gone} WHERE owner_id IS NOT NULL GROUP BY 1, 2`

/** Returns at most `limit` owner ids above `after` that have several rows for one week, in ascending order. */
async function findOwnersToCompact(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    SELECT DISTINCT owner_id
      FROM (SELECT owner_id FROM author_weekly_stats WHERE owner_id > ${after} GROUP BY owner_id, week HAVING count(*) > 1) w
     ORDER BY owner_id LIMIT ${limit}`.execute(db)
  return rows.map(({ owner_id }) => owner_id)
}

/** Rows inserted in the meantime stay separate. A week whose counts sum to zero is deleted. */
async function compactWeeks(tx: Tx, ownerId: string): Promise<void> {
  await sql`
    WITH folded AS (
      DELETE FROM author_weekly_stats
       WHERE owner_id = ${ownerId} AND week IN (
         SELECT week FROM author_weekly_stats WHERE owner_id = ${ownerId} GROUP BY week HAVING count(*) > 1)
      RETURNING week, views, likes)
    INSERT INTO author_weekly_stats (owner_id, week, views, likes)
    SELECT ${ownerId}, week, sum(views), sum(likes) FROM folded
     GROUP BY week HAVING sum(views) <> 0 OR sum(likes) <> 0`.execute(tx)
}
