import { z } from 'zod'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { defineJob, defineJobHandler, type JobContext } from '../../platform/jobs/job.ts'
import { deliverMail, isSuppressed, type MailDeps as Sending } from '../../platform/mail/deliver.ts'
import { claimDecidedMail, moderatorsAskMail, noteDecidedMail } from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { findUser } from '../accounts/users/users.ts'
import { findNoteOwner } from '../notes/notes.ts'
import * as queries from './moderation.queries.ts'
import { claimMailJob, findClaim } from './reports/copyright-claims.ts'

/**
 * The mail to a note's author: the decision or, without one, the open question. The payload does not name the author.
 */
const moderationMailPayload = z.object({ noteId: z.uuid(), decision: z.optional(z.int()) })
type ModerationMail = z.infer<typeof moderationMailPayload>

export const moderationMailJob = defineJob('moderation-mail', moderationMailPayload, { concurrency: 2 })

type MailDeps = Sending & Pick<Deps, 'config'>

/** The handler of `moderationMailJob`. It sends nothing if the note or its author no longer exists. */
async function sendModerationMail(deps: MailDeps, payload: ModerationMail, job: JobContext): Promise<void> {
  const mail = await writeMail(deps.db, deps.config.publicUrl, payload)
  if (mail && !(await isSuppressed(deps, mail))) await deliverMail(deps, mail, job)
}

/** The handler of `claimMailJob`: the claimant has no account, so the mail goes to the address in the claim. */
async function sendClaimMail(
  deps: MailDeps,
  { claimId, decision }: { claimId: string; decision?: number | undefined },
  job: JobContext,
): Promise<void> {
  const { db, config } = deps
  const claim = await findClaim(db, claimId)
  if (!claim) return
  const decided = decision === undefined ? null : await queries.findDecision(db, decision)
  await deliverMail(deps, claimDecidedMail(claim, config.publicUrl, decided), job)
}

async function writeMail(db: Db, publicUrl: string, { noteId, decision }: ModerationMail): Promise<Mail | null> {
  const note = await findNoteOwner(db, noteId)
  const author = note?.ownerId && (await findUser(db, { id: note.ownerId }))
  if (!author) return null
  const { email, name } = author
  if (decision !== undefined) {
    const decided = await queries.findDecision(db, decision)
    return decided && noteDecidedMail(email, name, publicUrl, note.title, decided)
  }
  // Null if the question was answered or decided meanwhile.
  const open = await queries.findOpenQuestion(db, noteId)
  return open && moderatorsAskMail(email, name, publicUrl, note.title, open.question)
}

export const moderationJobs = [
  defineJobHandler(moderationMailJob, sendModerationMail),
  defineJobHandler(claimMailJob, sendClaimMail),
]
