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

/** Closes all reports and claims on a note. @returns their number, and the claims whose senders must get a mail. */
export async function closeReports(tx: Tx, noteId: string): Promise<{ closed: number; claimIds: string[] }> {
  const claimIds = await closeClaims(tx, noteId)
  return { closed: (await queries.closeReports(tx, noteId)) + claimIds.length, claimIds }
}

/** For a deleted account: open reports stay, without the user. */
export const { deleteClosedReports } = queries

/** For the user's own export. */
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
    // Locking the user serialises their reports, or two could take the last slot. It comes before locks on notes.
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
