import { sql } from 'kysely'
import type { Rule } from '../../../../packages/contract/moderation-rules.ts'
import { maxReportsPerDay, type Report } from '../../../../packages/contract/reports.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { lockVisibleNote } from '../../notes/notes.ts'
import { closeClaims, openClaims } from './copyright-claims.ts'

/** Closes all reports and claims on a note. @returns their number, and the claims whose senders must get a mail. */
export async function closeReports(tx: Tx, noteId: string): Promise<{ closed: number; claimIds: string[] }> {
  const claimIds = await closeClaims(tx, noteId)
  const { numUpdatedRows } = await tx
    .updateTable('reports')
    .set({ decided_at: sql<Date>`now()` })
    .where('note_id', '=', noteId)
    .where('decided_at', 'is', null)
    .executeTakeFirst()
  return { closed: Number(numUpdatedRows) + claimIds.length, claimIds }
}

/** For the user's own export. */
export async function listOwnReports(db: Db, viewer: Viewer) {
  const reports = await db
    .selectFrom('reports')
    .select(['note_id as noteId', 'rule', 'text', 'reported_at as reportedAt'])
    .where('reporter_id', '=', viewer.id)
    .orderBy('reported_at')
    .execute()
  return reports.map(({ reportedAt, text, ...rest }) => ({
    ...rest,
    ...(text !== null && { text }),
    reportedAt: reportedAt.toISOString(),
  }))
}

/** @throws note_not_found, own_note_report, already_reported, too_many_reports */
export function reportNote(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  viewer: Viewer,
  noteId: string,
  report: Report,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    // Locking the user serialises their reports, or two could take the last slot. It comes before locks on notes.
    await lockUser(tx, viewer.id)
    const note = (await lockVisibleNote(tx, viewer, noteId)) ?? fail('note_not_found')
    if (note.ownerId === viewer.id) fail('own_note_report')
    const { reports, secondsToWait } = await countReports(tx, viewer.id)
    if (!(await insertReport(tx, noteId, viewer.id, report))) fail('already_reported')
    if (config.rateLimit && reports >= maxReportsPerDay) {
      fail('too_many_reports', { values: { max: maxReportsPerDay }, retryAfterSeconds: Math.max(1, secondsToWait) })
    }
  })
}

type OpenReport = { note_id: string; rule: Rule; text: string | null; reported_at: Date; claimant: string | null }

/** For FROM: open reports and claims. The reporting student's id is used only in this file. */
export const openReports = sql<OpenReport>`(
  SELECT note_id, rule, text, reported_at, NULL AS claimant FROM reports WHERE decided_at IS NULL
   UNION ALL
  SELECT note_id, rule, text, reported_at, claimant FROM ${openClaims} c)`

const daySeconds = 24 * 3600

/** Counts a student's reports in 24 hours, with the seconds until the oldest one no longer counts. */
async function countReports(tx: Tx, reporterId: string): Promise<{ reports: number; secondsToWait: number }> {
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
async function insertReport(tx: Tx, noteId: string, reporterId: string, report: Report): Promise<boolean> {
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

/** Moderators may need to look up the reports behind a recent decision. */
export async function deleteOldReports(db: Db): Promise<void> {
  await sql`DELETE FROM reports WHERE decided_at < now() - interval '30 days'`.execute(db)
}

/** For a deleted account: open reports stay, without the user. */
export async function deleteClosedReports(tx: Tx, reporterId: string): Promise<void> {
  await tx.deleteFrom('reports').where('reporter_id', '=', reporterId).where('decided_at', 'is not', null).execute()
}
