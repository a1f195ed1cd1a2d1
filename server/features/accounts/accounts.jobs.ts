import { z } from 'zod'
import type { Deps } from '../../dependencies.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { defineJob, defineJobHandler, type JobContext } from '../../platform/jobs/job.ts'
import { deliverMail, type MailDeps as Sending } from '../../platform/mail/deliver.ts'
import { accountExistsMail, noAccountMail, passwordResetMail, verificationMail } from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import * as queries from './accounts.queries.ts'
import { deriveLinkToken } from './link-token.ts'
import { findUser } from './users/users.ts'

const accountMailPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('verification'), registrationId: z.uuid() }),
  z.object({ kind: z.literal('account-exists'), userId: z.uuid() }),
  z.object({ kind: z.literal('password-reset'), userId: z.uuid() }),
  z.object({ kind: z.literal('no-account'), email: z.string() }),
])
export type AccountMail = z.infer<typeof accountMailPayload>

/** Concurrent delivery keeps one mail server that never answers from delaying the mails to all others. */
export const accountMailJob = defineJob('account-mail', accountMailPayload, { concurrency: 4 })

export const verificationTtlSeconds = 24 * 3600
export const resetTtlSeconds = 3600

type MailDeps = Sending & Pick<Deps, 'config' | 'secret'>

/** Handles `accountMailJob`. A job whose account or registration was deleted meanwhile sends no mail. */
async function sendAccountMail(deps: MailDeps, payload: AccountMail, job: JobContext): Promise<void> {
  const mail = await writeMail(deps, payload, job.jobId)
  if (mail) await deliverMail(deps, mail, job)
}

/** Links are created when the mail is sent, so that the queue never contains a token. */
async function writeMail(deps: MailDeps, payload: AccountMail, jobId: string): Promise<Mail | null> {
  const { db, secret } = deps
  const { publicUrl } = deps.config
  switch (payload.kind) {
    case 'verification': {
      const registration = await queries.findPendingRegistration(db, payload.registrationId)
      if (!registration) return null
      const token = deriveLinkToken(secret, jobId)
      await queries.insertVerificationToken(db, registration.id, hashToken(token), verificationTtlSeconds)
      return verificationMail(registration.email, registration.name, publicUrl, token)
    }
    case 'password-reset': {
      const account = await findUser(db, { id: payload.userId })
      if (!account) return null
      const token = deriveLinkToken(secret, jobId)
      await inTransaction(db, (tx) => queries.replaceResetToken(tx, account.id, hashToken(token), resetTtlSeconds))
      return passwordResetMail(account.email, account.name, publicUrl, token)
    }
    case 'account-exists': {
      const account = await findUser(db, { id: payload.userId })
      return account && accountExistsMail(account.email, account.name, publicUrl)
    }
    case 'no-account':
      return noAccountMail(payload.email, publicUrl)
  }
}

export const accountJobs = [defineJobHandler(accountMailJob, sendAccountMail)]
