import { deriveLinkToken, hashToken } from '../../platform/db/secret.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { defineJobHandler, defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler, type MailDeps } from '../../platform/mail/deliver.ts'
import * as mails from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import * as queries from './accounts.queries.ts'
import { type AccountMail, accountMailJob, resetTtlSeconds, verificationTtlSeconds } from './accounts.ts'
import {
  accountDeletedMailJob,
  deleteAccount,
  deleteAccountJob,
  enqueueDueDeletions,
} from './deletion/account-deletion.ts'
import { buildExport, exportJob, exportMailJob, findFinishedExport } from './exports/exports.ts'
import { alertMailJob, findAlert, saveAlertToken } from './security-alerts/send-alert.ts'
import { type SettingsMail, settingsMailJob } from './settings/email-change.ts'
import { findPendingChange, saveChangeToken } from './settings/email-changes.queries.ts'
import { findUser, lockUser } from './users/users.ts'

/*
 * Links are created when their mail is sent, so that the queue never contains a token. A job whose account,
 * registration or change was deleted meanwhile sends no mail.
 */

async function writeAccountMail(
  { db, config: { publicUrl }, secret }: MailDeps,
  payload: AccountMail,
  jobId: string,
): Promise<Mail | null> {
  switch (payload.kind) {
    case 'verification': {
      const registration = await queries.findPendingRegistration(db, payload.registrationId)
      if (!registration) return null
      const token = deriveLinkToken(secret, jobId)
      await queries.insertVerificationToken(db, registration.id, hashToken(token), verificationTtlSeconds)
      return mails.verificationMail(registration.email, registration.name, publicUrl, token)
    }
    case 'password-reset': {
      const token = deriveLinkToken(secret, jobId)
      // The account stays locked, or the link could go to an address that the user has just replaced.
      const account = await inTransaction(db, async (tx) => {
        await lockUser(tx, payload.userId)
        const account = await findUser(tx, { id: payload.userId })
        if (account) await queries.replaceResetToken(tx, account.id, hashToken(token), resetTtlSeconds)
        return account
      })
      if (!account) return null
      return mails.passwordResetMail(account.email, account.name, publicUrl, token)
    }
    case 'account-exists': {
      const account = await findUser(db, { id: payload.userId })
      return account && mails.accountExistsMail(account.email, account.name, publicUrl)
    }
    case 'no-account':
      return mails.noAccountMail(payload.email, publicUrl)
  }
}

async function writeSettingsMail(
  { db, config: { publicUrl }, secret }: MailDeps,
  payload: SettingsMail,
  jobId: string,
): Promise<Mail | null> {
  if (payload.kind === 'email-taken') {
    const owner = await findUser(db, { id: payload.userId })
    return owner && mails.emailTakenMail(owner.email, owner.name, publicUrl)
  }
  const change = await findPendingChange(db, { id: payload.changeId })
  const account = change && (await findUser(db, { id: change.userId }))
  if (!account) return null
  const token = deriveLinkToken(secret, jobId)
  await saveChangeToken(db, payload.changeId, hashToken(token))
  return mails.confirmEmailMail(change.email, account.name, publicUrl, token)
}

/** Matches the grace period of an account deletion, because a week without reading mails is common. */
const alertTtlSeconds = 7 * 24 * 3600

async function writeAlert(
  { db, config: { publicUrl }, secret }: MailDeps,
  { alertId }: { alertId: string },
  jobId: string,
): Promise<Mail | null> {
  const alert = await findAlert(db, alertId)
  const account = alert && (await findUser(db, { id: alert.userId }))
  if (!account) return null
  const token = deriveLinkToken(secret, jobId)
  await saveAlertToken(db, alert.id, hashToken(token), alertTtlSeconds)
  return mails.securityAlertMail(alert.email, account.name, publicUrl, token, alert)
}

async function writeExportMail({ db, config }: MailDeps, { exportId }: { exportId: string }): Promise<Mail | null> {
  const made = await findFinishedExport(db, exportId)
  const owner = made && (await findUser(db, { id: made.userId }))
  return owner && mails.exportReadyMail(owner.email, owner.name, config.publicUrl, made.expiresAt)
}

export const accountJobs = [
  defineMailHandler(accountMailJob, writeAccountMail),
  defineMailHandler(settingsMailJob, writeSettingsMail),
  defineMailHandler(alertMailJob, writeAlert),
  defineJobHandler(exportJob, buildExport),
  defineMailHandler(exportMailJob, writeExportMail),
  defineSchedule('enqueue-account-deletions', '*/10 * * * *', enqueueDueDeletions),
  defineJobHandler(deleteAccountJob, deleteAccount),
  defineMailHandler(accountDeletedMailJob, async ({ config }, { email, notes }) =>
    mails.accountDeletedMail(email, config.publicUrl, notes),
  ),
]
