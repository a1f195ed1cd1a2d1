import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { defineJob, type JobContext } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps as Sending } from '../../../platform/mail/deliver.ts'
import { suspendedMail, suspensionLiftedMail } from '../../../platform/mail/emails.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { findUser } from '../../accounts/users/users.ts'
import { findNoteOwner } from '../../notes/notes.ts'
import { describeUntil, findActiveSuspension } from './active-suspension.ts'
import * as queries from './suspensions.queries.ts'

/** The payload has a user's id or, for the author of an anonymous note, only the note's id. */
const kind = z.enum(['suspended', 'lifted'])
const suspensionMailPayload = z.union([z.object({ kind, userId: z.uuid() }), z.object({ kind, noteId: z.uuid() })])
type SuspensionMail = z.infer<typeof suspensionMailPayload>

export const suspensionMailJob = defineJob('suspension-mail', suspensionMailPayload, { concurrency: 2 })

type MailDeps = Sending & Pick<Deps, 'config'>

/** The handler of `suspensionMailJob`. It sends nothing if the suspension was lifted or renewed in the meantime. */
export async function sendSuspensionMail(deps: MailDeps, payload: SuspensionMail, job: JobContext): Promise<void> {
  const mail = await writeMail(deps.db, deps.config.publicUrl, payload)
  if (mail) await deliverMail(deps, mail, job)
}

async function writeMail(db: Db, publicUrl: string, payload: SuspensionMail): Promise<Mail | null> {
  const note = 'noteId' in payload ? await findNoteOwner(db, payload.noteId) : null
  const userId = 'userId' in payload ? payload.userId : note?.ownerId
  const owner = userId ? await findUser(db, { id: userId }) : null
  if (!owner) return null
  const { email, name } = owner
  if (payload.kind === 'lifted') {
    return (await findActiveSuspension(db, owner.id)) ? null : suspensionLiftedMail(email, name, publicUrl)
  }
  const found =
    'noteId' in payload
      ? await queries.findNoteSuspension(db, payload.noteId)
      : await queries.findSuspension(db, owner.id)
  if (!found) return null
  const details = { until: describeUntil(found.until), reason: found.reason, title: note?.title ?? null }
  return suspendedMail(email, name, publicUrl, details)
}
