import { maxReportsPerDay, type Report } from '../../../../packages/contract/reports.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { lockVisibleNote } from '../../notes/notes.ts'
import { closeClaims } from './copyright-claims.queries.ts'
import * as queries from './reports.queries.ts'

/** A part of the moderators' statements. */
export const { openReports } = queries

export const hasOpenReports: (tx: Tx, noteId: string) => Promise<boolean> = queries.hasOpenReports

/** What waited on a note is decided. @returns how much that was, and the claims whose senders are to be told. */
export async function closeReports(tx: Tx, noteId: string): Promise<{ closed: number; claimIds: string[] }> {
  const claimIds = await closeClaims(tx, noteId)
  return { closed: (await queries.closeReports(tx, noteId)) + claimIds.length, claimIds }
}

/** A moderator may have to look up what a decision was about, but not for ever. */
const keptDays = 30
export const deleteOldReports = (db: Db): Promise<void> => queries.deleteOldReports(db, keptDays)

/** Of somebody whose account goes: what waits stays, without them. */
export const dropReportsOfUser: (tx: Tx, userId: string) => Promise<void> = queries.deleteClosedReports

/** For their own export. */
export async function listOwnReports(db: Db, viewer: Viewer) {
  const reports = await queries.findReportsOf(db, viewer.id)
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
    // One report of a student after the other, or two would find the last place free; and before any note is held.
    await lockUser(tx, viewer.id)
    const note = (await lockVisibleNote(tx, viewer, noteId)) ?? fail('note_not_found')
    if (note.ownerId === viewer.id) fail('own_note_report')
    const { reports, secondsToWait } = await queries.countReports(tx, viewer.id)
    if (!(await queries.insertReport(tx, noteId, viewer.id, report))) fail('already_reported')
    if (config.rateLimit && reports >= maxReportsPerDay) {
      fail('too_many_reports', { values: { max: maxReportsPerDay }, retryAfterSeconds: Math.max(1, secondsToWait) })
    }
  })
}
