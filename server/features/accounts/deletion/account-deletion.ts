import { z } from 'zod'
import {
  type AccountDeletionResponse,
  type NotesOnDeletion,
  notesChoices,
} from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob, type JobContext } from '../../../platform/jobs/job.ts'
import { type Confirmed, lockWithConfirmedPassword } from '../../auth/sessions/confirm-password.ts'
import { deleteAllPasskeys, endOtherSessions, endSessionsOfUser } from '../../auth/sessions/revoke-access.ts'
import { deleteClosedReports } from '../../moderation/reports/reports.ts'
import { anonymiseNotesOfUser, deleteNotesOfUser, detachAnonymousNotes, type NoteDeps } from '../../notes/notes.ts'
import { deleteUserRatings, lockNotesOfUser } from '../../notes/ratings/ratings.ts'
import { deleteResetTokens } from '../accounts.queries.ts'
import { sendAlert } from '../security-alerts/send-alert.ts'
import {
  cancelDeletion,
  cancelEmailChange,
  deletePassword,
  deleteUser,
  findPendingDeletion,
  findUsersDueForDeletion,
  isOnlyAdmin,
  lockUserDueForDeletion,
  scheduleDeletion,
} from '../users/users.ts'

/** The job may rewrite hundreds of notes file by file. */
export const deleteAccountJob = defineJob('delete-account', z.object({ userId: z.uuid() }), { timeoutSeconds: 30 * 60 })

/** The payload contains the address, because the account no longer exists. */
export const accountDeletedMailJob = defineJob(
  'account-deleted-mail',
  z.object({ email: z.string(), notes: z.enum(notesChoices) }),
)

/** The user may cancel the deletion within this time. */
const graceDays = 7

export async function describeAccountDeletion(db: Db, { id, role }: Viewer): Promise<AccountDeletionResponse> {
  const [leaving, isLast] = await Promise.all([findPendingDeletion(db, id), role === 'admin' && isOnlyAdmin(db, id)])
  return { leaving: leaving && { at: leaving.at.toISOString(), notes: leaving.notes }, isOnlyAdmin: isLast }
}

/** Starts the grace period. Asking again restarts it. */
export async function scheduleAccountDeletion(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { viewer: { id }, sessionId, confirmedHash }: Confirmed,
  notes: NotesOnDeletion,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if (!(await scheduleDeletion(tx, id, graceDays, notes))) fail('leaving_begun')
    await endOtherSessions(tx, id, sessionId)
    await cancelEmailChange(tx, id)
    await sendAlert(jobs, tx, id, 'leaving')
  })
}

/** @throws leaving_begun when the grace period has ended. */
export async function cancelAccountDeletion(db: Db, { id }: Viewer): Promise<void> {
  await cancelDeletion(db, id)
  if (await findPendingDeletion(db, id)) fail('leaving_begun')
}

export async function enqueueDueDeletions({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  for (const userId of await findUsersDueForDeletion(db)) {
    await jobs.enqueue(db, deleteAccountJob, { userId }, { singletonKey: userId })
  }
}

/**
 * Handles `deleteAccountJob`. It first revokes all access, then anonymises the notes to keep one by one, and last
 * removes the account in one transaction. After a failure, the job resumes where it stopped.
 */
export async function deleteAccount(
  deps: NoteDeps,
  { userId }: { userId: string },
  { signal }: JobContext,
): Promise<void> {
  const { db } = deps
  const leaver = await inTransaction(db, async (tx) => {
    const found = await lockUserDueForDeletion(tx, userId)
    if (!found) return null
    await deletePassword(tx, userId)
    await deleteAllPasskeys(tx, userId)
    await deleteResetTokens(tx, userId)
    await endSessionsOfUser(tx, userId)
    return found
  })
  if (!leaver) return
  if (leaver.notes === 'keep') await anonymiseNotesOfUser(deps, { id: userId, role: 'student' }, signal)
  await inTransaction(db, async (tx) => {
    if (!(await lockUserDueForDeletion(tx, userId))) return
    await removeUser(tx, userId, leaver.notes)
    await deps.jobs.enqueue(tx, accountDeletedMailJob, { email: leaver.email, notes: leaver.notes })
  })
}

/**
 * Removes a user with their notes, whose files the sweep deletes; their ratings, with the counts; decided reports; and
 * sessions, links and credentials, which are deleted with the row. If a note or a rating is added meanwhile, the
 * database rejects the last step and so the whole transaction.
 * @param notes decides about anonymous notes; named ones are always deleted.
 */
export async function removeUser(tx: Tx, userId: string, notes: NotesOnDeletion = 'remove-now'): Promise<void> {
  // Notes are locked before rows about them, as deleting a note does. Counters are locked after all notes.
  await lockNotesOfUser(tx, userId)
  await deleteClosedReports(tx, userId)
  if (notes !== 'remove-now') await detachAnonymousNotes(tx, userId, { isDeleted: notes === 'remove' })
  await deleteNotesOfUser(tx, userId)
  await deleteUserRatings(tx, userId)
  await deleteUser(tx, userId)
}
