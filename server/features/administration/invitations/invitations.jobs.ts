import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { defineJob, defineJobHandler, type JobContext } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps as Sending } from '../../../platform/mail/deliver.ts'
import { invitationMail } from '../../../platform/mail/emails.ts'
import { deriveLinkToken } from '../../accounts/link-token.ts'
import * as queries from './invitations.queries.ts'

export const invitationMailJob = defineJob('invitation-mail', z.object({ invitationId: z.uuid() }), { concurrency: 2 })

type MailDeps = Sending & Pick<Deps, 'config' | 'secret'>

/**
 * Handles `invitationMailJob`. The link is created here, so that the queue never contains a token; it is the same when
 * sent again.
 */
async function sendInvitationMail(
  deps: MailDeps,
  { invitationId }: { invitationId: string },
  job: JobContext,
): Promise<void> {
  const { db, config, secret } = deps
  const token = deriveLinkToken(secret, invitationId)
  const email = await queries.saveToken(db, invitationId, hashToken(token))
  if (email !== null) await deliverMail(deps, invitationMail(email, config.publicUrl, token), job)
}

export const invitationJobs = [defineJobHandler(invitationMailJob, sendInvitationMail)]
