import type { NewNoteSuspension, NewSuspension, NoteSuspension } from '../../../../packages/contract/members.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createAnonymousViewer, type Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findUser, lockUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { type Actor, lockActor } from '../../auth/roles/actor.ts'
import { endLimitedSessions, endSessionsOfUser } from '../../auth/sessions/sessions.ts'
import { findNoteOwner, lockReachableNote, restoreSuspendedNotes, setHiddenBySuspension } from '../../notes/notes.ts'
import { findNotesById } from '../../notes/visible-notes.ts'
import { suspensionMail } from './mails.ts'
import * as queries from './suspensions.queries.ts'

/** For FROM: who is suspended by name. */
export const { accountSuspensions } = queries

type SuspensionDeps = Pick<Deps, 'db' | 'jobs'>

/**
 * Suspends an account by its name, at once on every server. Only notes that are shared by name are hidden: those without
 * would name their author by going at the same moment.
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
    if (suspension.hidesNotes) await setHiddenBySuspension(tx, userId)
    else await restoreSuspendedNotes(tx, userId)
    await endSessionsOfUser(tx, userId)
    const { reason, hidesNotes } = suspension
    const details = { kind: 'suspend', ...describeDays(suspension), hidesNotes: String(hidesNotes), reason }
    await recordAudit(tx, { actorId: actor?.id ?? null, action: 'suspension', subjectId: userId, details })
    await jobs.enqueue(tx, suspensionMail, { kind: 'suspended', userId })
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
    const details = { kind: 'lift' }
    await recordAudit(tx, { actorId: actor?.id ?? null, action: 'suspension', subjectId: userId, details })
    await jobs.enqueue(tx, suspensionMail, { kind: 'lifted', userId })
  })
}

async function lockMember(tx: Tx, actor: Actor, userId: string): Promise<void> {
  await lockActor(tx, actor, [userId])
  if (!(await findUser(tx, { id: userId }))) fail('member_not_found')
}

/**
 * Suspends whoever shared an anonymous note, without telling anybody who that is: nothing is hidden, and neither the log nor
 * any list has the account. Where the note is nobody's any more the answer is the same.
 * @throws note_not_found, own_account, note_not_anonymous
 */
export async function suspendBehindNote(
  { db, jobs }: SuspensionDeps,
  actor: Actor,
  noteId: string,
  suspension: NewNoteSuspension,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Who is held before what is theirs, as everywhere.
    const ownerId = (await findNoteOwner(tx, noteId))?.ownerId ?? null
    await lockActor(tx, actor, ownerId === null ? [] : [ownerId])
    const note =
      (await lockReachableNote(tx, actor ?? createAnonymousViewer('admin'), noteId)) ?? fail('note_not_found')
    if (note.ownerId !== null && note.ownerId === actor?.id) fail('own_account')
    if (!note.isAnonymous) fail('note_not_anonymous')
    await queries.saveNoteSuspension(tx, noteId, suspension)
    if (ownerId !== null) await endSessionsOfUser(tx, ownerId)
    const details = { kind: 'suspend behind', ...describeDays(suspension), reason: suspension.reason }
    await recordAudit(tx, { actorId: actor?.id ?? null, action: 'suspension', subjectId: noteId, details })
    await jobs.enqueue(tx, suspensionMail, { kind: 'suspended', noteId })
  })
}

/** @throws not_suspended */
export function liftNoteSuspension({ db, jobs }: SuspensionDeps, actor: Actor, noteId: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const ownerId = (await findNoteOwner(tx, noteId))?.ownerId ?? null
    await lockActor(tx, actor, ownerId === null ? [] : [ownerId])
    if (!(await queries.deleteNoteSuspension(tx, noteId))) fail('not_suspended')
    if (ownerId !== null) await endLimitedSessions(tx, ownerId)
    const details = { kind: 'lift behind' }
    await recordAudit(tx, { actorId: actor?.id ?? null, action: 'suspension', subjectId: noteId, details })
    await jobs.enqueue(tx, suspensionMail, { kind: 'lifted', noteId })
  })
}

export async function listNoteSuspensions(db: Db, viewer: Viewer): Promise<NoteSuspension[]> {
  const found = await queries.findNoteSuspensions(db)
  const notes = await findNotesById(
    db,
    viewer,
    found.map(({ noteId }) => noteId),
  )
  const titles = new Map(notes.map(({ _id, title }) => [_id, title]))
  return found.map(({ noteId, at, until, reason }) => ({
    noteId,
    title: titles.get(noteId) ?? '',
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    reason,
  }))
}

/** Brings back the notes of those whose time has come: they log in from that moment on, whether or not this has run. */
export async function expireSuspensions(db: Db): Promise<void> {
  for (const userId of await queries.findExpired(db)) {
    await inTransaction(db, async (tx) => {
      await lockUser(tx, userId)
      if (await queries.deleteOver(tx, userId)) await restoreSuspendedNotes(tx, userId)
    })
  }
  await queries.deleteOldNoteSuspensions(db)
}
