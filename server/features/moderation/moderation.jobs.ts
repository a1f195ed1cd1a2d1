import type { Db } from '../../platform/db/pool.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler, isSuppressed } from '../../platform/mail/deliver.ts'
import * as mails from '../../platform/mail/emails.ts'
import { findUser } from '../accounts/users/users.ts'
import { findNoteOwner } from '../notes/notes.ts'
import * as queries from './moderation.queries.ts'
import { moderationMailJob } from './moderation.ts'
import { claimMailJob, findClaim, notifyClaimantsOfDeletedNotes } from './reports/copyright-claims.ts'
import { describeUntil, findActiveSuspension } from './suspensions/active-suspension.ts'
import { findNoteSuspension, findSuspension } from './suspensions/suspensions.queries.ts'
import { expireSuspensions, suspensionMailJob } from './suspensions/suspensions.ts'

export const moderationJobs = [
  // The mail is not sent if the note or its author no longer exists.
  defineMailHandler(moderationMailJob, async (deps, { noteId, decision }) => {
    const { db } = deps
    const note = await findNoteOwner(db, noteId)
    const author = note?.ownerId && (await findUser(db, { id: note.ownerId }))
    if (!author) return null
    const decided = decision === undefined ? null : await queries.findDecision(db, decision)
    // Null if the question was answered or decided meanwhile.
    const open = decision === undefined ? await queries.findOpenQuestion(db, noteId) : null
    const question = open && mails.moderatorsAskMail(note.title, open.question)
    const letter = decided ? mails.noteDecidedMail(note.title, decided) : question
    return letter && !(await isSuppressed(deps, { to: author.email })) ? { to: author, ...letter } : null
  }),

  // The claimant has no account, so the mail goes to the address in the claim.
  defineMailHandler(claimMailJob, async ({ db }, { claimId, decision }) => {
    const claim = await findClaim(db, claimId)
    const decided = decision === undefined ? null : await queries.findDecision(db, decision)
    return claim && { to: claim, ...mails.claimDecidedMail(claim.noteId, decided) }
  }),
  defineSchedule('notify-claimants', '*/10 * * * *', notifyClaimantsOfDeletedNotes),

  // The mail is not sent if the suspension was lifted or renewed in the meantime.
  defineMailHandler(suspensionMailJob, async ({ db }, payload) => {
    const note = 'noteId' in payload ? await findNoteOwner(db, payload.noteId) : null
    const userId = 'userId' in payload ? payload.userId : note?.ownerId
    const owner = userId ? await findUser(db, { id: userId }) : null
    if (!owner) return null
    if (payload.kind === 'lifted') {
      return (await findActiveSuspension(db, owner.id)) ? null : { to: owner, ...mails.suspensionLiftedMail }
    }
    const found = await ('noteId' in payload ? findNoteSuspension(db, payload.noteId) : findSuspension(db, owner.id))
    if (!found) return null
    const details = { until: describeUntil(found.until), reason: found.reason, title: note?.title ?? null }
    return { to: owner, ...mails.suspendedMail(details) }
  }),
  defineSchedule('expire-suspensions', '*/5 * * * *', ({ db }: { db: Db }) => expireSuspensions(db)),
]
