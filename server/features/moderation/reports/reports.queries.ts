import { sql } from 'kysely'
import type { Rule } from '../../../../packages/contract/moderation-rules.ts'
import type { Report } from '../../../../packages/contract/reports.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import { openClaims } from './copyright-claims.queries.ts'

type OpenReport = { note_id: string; rule: Rule; text: string | null; reported_at: Date; claimant: string | null }

/** For FROM: open reports and claims. The reporting student's id is used only in this file. */
export const openReports = sql<OpenReport>`(
  SELECT note_id, rule, text, reported_at, NULL AS claimant FROM reports WHERE decided_at IS NULL
   UNION ALL
  SELECT note_id, rule, text, reported_at, claimant FROM ${openClaims} c)`

const daySeconds = 24 * 3600

/** Counts a student's reports in 24 hours, with the seconds until the oldest one no longer counts. */
export async function countReports(tx: Tx, reporterId: string): Promise<{ reports: number; secondsToWait: number }> {
  return await tx
    .selectFrom('reports')
    .select((row) => row.fn.countAll<number>().as('reports'))
    .select(
      sql<number>`ceil(coalesce(extract(epoch FROM min(reported_at) - now()), 0) + ${daySeconds}::integer)::integer`.as(
        'secondsToWait',
      ),
    )
    .where('reporter_id', '=', reporterId)
    .where('reported_at', '>', inSeconds(-daySeconds))
    .executeTakeFirstOrThrow()
}

/** @returns false if the student already has an open report on the note. */
export async function insertReport(tx: Tx, noteId: string, reporterId: string, report: Report): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('reports')
    .values({ note_id: noteId, reporter_id: reporterId, rule: report.rule, text: report.text ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function hasOpenReports(tx: Tx, noteId: string): Promise<boolean> {
  const open = tx.selectFrom(openReports.as('r')).select('rule').where('note_id', '=', noteId)
  return (await open.limit(1).executeTakeFirst()) !== undefined
}

/** @returns the number of closed reports. */
export async function closeReports(tx: Tx, noteId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('reports')
    .set({ decided_at: sql<Date>`now()` })
    .where('note_id', '=', noteId)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Moderators may need to look up the reports behind a recent decision. */
export async function deleteOldReports(db: Db): Promise<void> {
  await sql`DELETE FROM reports WHERE decided_at < now() - interval '30 days'`.execute(db)
}

/** Open reports stay, without the reporting user. */
export async function deleteClosedReports(tx: Tx, reporterId: string): Promise<void> {
  await tx.deleteFrom('reports').where('reporter_id', '=', reporterId).where('decided_at', 'is not', null).execute()
}

export function findReportsOf(db: Db, reporterId: string) {
  return db
    .selectFrom('reports')
    .select(['note_id as noteId', 'rule', 'text', 'reported_at as reportedAt'])
    .where('reporter_id', '=', reporterId)
    .orderBy('reported_at')
    .execute()
}
