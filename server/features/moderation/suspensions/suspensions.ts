import { sql } from 'kysely'
import { z } from 'zod'
import type { NewNoteSuspension, NewSuspension, NoteSuspension } from '../../../../packages/contract/members.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hasChangedRow } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createAnonymousViewer, type Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { findUser, lockUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'
import { endLimitedSessions, endSessionsOfUser } from '../../auth/sessions/revoke-access.ts'
import { findNoteOwner, hideAttributedNotes, lockReachableNote, restoreSuspendedNotes } from '../../notes/notes.ts'
import { joinNotes } from '../../notes/visible-notes.ts'
import * as queries from './suspensions.queries.ts'

/** For FROM: active suspensions of accounts. */
export const { accountSuspensions } = queries

/** The payload has a user's id or, for the author of an anonymous note, only the note's id. */
const kind = z.enum(['suspended', 'lifted'])
const suspensionMailPayload = z.union([z.object({ kind, userId: z.uuid() }), z.object({ kind, noteId: z.uuid() })])

export const suspensionMailJob = defineJob('suspension-mail', suspensionMailPayload, { concurrency: 2 })

type SuspensionDeps = Pick<Deps, 'db' | 'jobs'>

/**
 * Suspends an account, immediately on every server. Only notes shared by name are hidden: anonymous notes that
 * disappear at the same moment would reveal their author.
 * @throws member_not_found, own_account
 */
export async function suspendMember(
  { db, jobs }: SuspensionDeps,
  actor: Actor,
  userId: string,
  suspension: NewSuspension,
): Promise<void> {
  if (userId === actor?.id) fail('own_account')
  await inTransaction(db, async (tx) => {
    await lockMember(tx, actor, userId)
    await queries.saveSuspension(tx, userId, suspension)
    if (suspension.hidesNotes) await hideAttributedNotes(tx, userId)
    else await restoreSuspendedNotes(tx, userId)
    await endSessionsOfUser(tx, userId)
    const { reason, hidesNotes } = suspension
    await recordAudit(tx, actor, 'suspension', userId, {
      kind: 'suspend',
      ...describeDays(suspension),
      hidesNotes: String(hidesNotes),
      reason,
    })
    await jobs.enqueue(tx, suspensionMailJob, { kind: 'suspended', userId })
  })
}

const describeDays = ({ days }: { days: number | null }) => ({ days: days === null ? 'until lifted' : String(days) })

/** @throws member_not_found, not_suspended */
export function liftSuspension({ db, jobs }: SuspensionDeps, actor: Actor, userId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockMember(tx, actor, userId)
    if (!(await queries.deleteSuspension(tx, userId))) fail('not_suspended')
    await restoreSuspendedNotes(tx, userId)
    await endLimitedSessions(tx, userId)
    await recordAudit(tx, actor, 'suspension', userId, { kind: 'lift' })
    await jobs.enqueue(tx, suspensionMailJob, { kind: 'lifted', userId })
  })
}

async function lockMember(tx: Tx, actor: Actor, userId: string): Promise<void> {
  await lockActor(tx, actor, [userId])
  if (!(await findUser(tx, { id: userId }))) fail('member_not_found')
}

/**
 * Suspends the author of an anonymous note without revealing who it is: nothing is hidden, and no log or list contains
 * the account. The result is the same if the note has no owner any more.
 * @throws note_not_found, own_account, note_not_anonymous
 */
export async function suspendNoteAuthor(
  { db, jobs }: SuspensionDeps,
  actor: Actor,
  noteId: string,
  suspension: NewNoteSuspension,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The user is locked before their notes, as in all transactions.
    const ownerId = (await findNoteOwner(tx, noteId))?.ownerId ?? null
    await lockActor(tx, actor, ownerId === null ? [] : [ownerId])
    const note =
      (await lockReachableNote(tx, actor ?? createAnonymousViewer('admin'), noteId)) ?? fail('note_not_found')
    if (note.ownerId !== null && note.ownerId === actor?.id) fail('own_account')
    if (!note.isAnonymous) fail('note_not_anonymous')
    await queries.saveNoteSuspension(tx, noteId, suspension)
    if (ownerId !== null) await endSessionsOfUser(tx, ownerId)
    await recordAudit(tx, actor, 'suspension', noteId, {
      kind: 'suspend behind',
      ...describeDays(suspension),
      reason: suspension.reason,
    })
    await jobs.enqueue(tx, suspensionMailJob, { kind: 'suspended', noteId })
  })
}

/** @throws not_suspended */
export function liftNoteAuthorSuspension({ db, jobs }: SuspensionDeps, actor: Actor, noteId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const ownerId = (await findNoteOwner(tx, noteId))?.ownerId ?? null
    await lockActor(tx, actor, ownerId === null ? [] : [ownerId])
    if (!(await queries.deleteNoteSuspension(tx, noteId))) fail('not_suspended')
    if (ownerId !== null) await endLimitedSessions(tx, ownerId)
    await recordAudit(tx, actor, 'suspension', noteId, { kind: 'lift behind' })
    await jobs.enqueue(tx, suspensionMailJob, { kind: 'lifted', noteId })
  })
}

export async function listNoteAuthorSuspensions(db: Db, viewer: Viewer): Promise<NoteSuspension[]> {
  const found = await joinNotes(db, viewer, await queries.findNoteSuspensions(db))
  return found.map(({ noteId, note, at, until, reason }) => ({
    noteId,
    title: note.title,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    reason,
  }))
}

/**
 * Shows the notes of expired suspensions again. Their users can log in from the end on, even if this has not run yet.
 */
export async function expireSuspensions(db: Db): Promise<void> {
  const hasEnded = sql<boolean>`until <= now()`
  const ended = await db.selectFrom('suspensions').select('user_id').where(hasEnded).execute()
  for (const { user_id: userId } of ended) {
    await inTransaction(db, async (tx) => {
      await lockUser(tx, userId)
      // It may have been extended in the meantime.
      const suspension = tx.deleteFrom('suspensions').where('user_id', '=', userId).where(hasEnded)
      if (await hasChangedRow(suspension)) await restoreSuspendedNotes(tx, userId)
    })
  }
  await db.deleteFrom('note_author_suspensions').where(hasEnded).execute()
}
