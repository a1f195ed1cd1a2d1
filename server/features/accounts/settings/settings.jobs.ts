import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { defineJob, defineJobHandler, type JobContext } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps as Sending } from '../../../platform/mail/deliver.ts'
import { confirmEmailMail, emailTakenMail } from '../../../platform/mail/emails.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { deriveLinkToken } from '../link-token.ts'
import { findUser } from '../users/users.ts'
import * as queries from './email-changes.queries.ts'

const settingsMailPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), changeId: z.uuid() }),
  z.object({ kind: z.literal('email-taken'), userId: z.uuid() }),
])
type SettingsMail = z.infer<typeof settingsMailPayload>

export const settingsMailJob = defineJob('settings-mail', settingsMailPayload, { concurrency: 2 })

type MailDeps = Sending & Pick<Deps, 'config' | 'secret'>

/** Handles `settingsMailJob`. A change that was cancelled or replaced meanwhile sends no mail. */
async function sendSettingsMail(deps: MailDeps, payload: SettingsMail, job: JobContext): Promise<void> {
  const mail = await writeMail(deps, payload, job.jobId)
  if (mail) await deliverMail(deps, mail, job)
}

async function writeMail({ db, config, secret }: MailDeps, payload: SettingsMail, jobId: string): Promise<Mail | null> {
  if (payload.kind === 'email-taken') {
    const owner = await findUser(db, { id: payload.userId })
    return owner && emailTakenMail(owner.email, owner.name, config.publicUrl)
  }
  const change = await queries.findPendingChange(db, { id: payload.changeId })
  const account = change && (await findUser(db, { id: change.userId }))
  if (!account) return null
  const token = deriveLinkToken(secret, jobId)
  await queries.saveChangeToken(db, payload.changeId, hashToken(token))
  return confirmEmailMail(change.email, account.name, config.publicUrl, token)
}

export const settingsJobs = [defineJobHandler(settingsMailJob, sendSettingsMail)]
