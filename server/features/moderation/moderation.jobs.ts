import type { Db } from '../../platform/db/pool.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler, isSuppressed, type MailDeps } from '../../platform/mail/deliver.ts'
import * as mails from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { findUser } from '../accounts/users/users.ts'
import { findNoteOwner } from '../notes/notes.ts'
import * as queries from './moderation.queries.ts'
import { type ModerationMail, moderationMailJob } from './moderation.ts'
import { claimMailJob, findClaim, notifyClaimantsOfDeletedNotes } from './reports/copyright-claims.ts'
import { describeUntil, findActiveSuspension } from './suspensions/active-suspension.ts'
import { findNoteSuspension, findSuspension } from './suspensions/suspensions.queries.ts'
import { expireSuspensions, type SuspensionMail, suspensionMailJob } from './suspensions/suspensions.ts'

/** The mail is not sent if the note or its author no longer exists. */
async function writeModerationMail(deps: MailDeps, payload: ModerationMail): Promise<Mail | null> {
  const mail = await writeToAuthor(deps, payload)
  return mail && !(await isSuppressed(deps, mail)) ? mail : null
}

async function writeToAuthor(
  { db, config: { publicUrl } }: MailDeps,
  { noteId, decision }: ModerationMail,
): Promise<Mail | null> {
  const note = await findNoteOwner(db, noteId)
  const author = note?.ownerId && (await findUser(db, { id: note.ownerId }))
  if (!author) return null
  const { email, name } = author
  if (decision !== undefined) {
    const decided = await queries.findDecision(db, decision)
    return decided && mails.noteDecidedMail(email, name, publicUrl, note.title, decided)
  }
  // Null if the question was answered or decided meanwhile.
  const open = await queries.findOpenQuestion(db, noteId)
  return open && mails.moderatorsAskMail(email, name, publicUrl, note.title, open.question)
}

/** The mail is not sent if the suspension was lifted or renewed in the meantime. */
async function writeSuspensionMail(
  { db, config: { publicUrl } }: MailDeps,
  payload: SuspensionMail,
): Promise<Mail | null> {
  const note = 'noteId' in payload ? await findNoteOwner(db, payload.noteId) : null
  const userId = 'userId' in payload ? payload.userId : note?.ownerId
  const owner = userId ? await findUser(db, { id: userId }) : null
  if (!owner) return null
  const { email, name } = owner
  if (payload.kind === 'lifted') {
    return (await findActiveSuspension(db, owner.id)) ? null : mails.suspensionLiftedMail(email, name, publicUrl)
  }
  const found = await ('noteId' in payload ? findNoteSuspension(db, payload.noteId) : findSuspension(db, owner.id))
  if (!found) return null
  const details = { until: describeUntil(found.until), reason: found.reason, title: note?.title ?? null }
  return mails.suspendedMail(email, name, publicUrl, details)
}

export const moderationJobs = [
  defineMailHandler(moderationMailJob, writeModerationMail),
  // The claimant has no account, so the mail goes to the address in the claim.
  defineMailHandler(claimMailJob, async ({ db, config }, { claimId, decision }) => {
    const claim = await findClaim(db, claimId)
    const decided = decision === undefined ? null : await queries.findDecision(db, decision)
    return claim && mails.claimDecidedMail(claim, config.publicUrl, decided)
  }),
  defineSchedule('notify-claimants', '*/10 * * * *', notifyClaimantsOfDeletedNotes),
  defineMailHandler(suspensionMailJob, writeSuspensionMail),
  defineSchedule('expire-suspensions', '*/5 * * * *', ({ db }: { db: Db }) => expireSuspensions(db)),
]
