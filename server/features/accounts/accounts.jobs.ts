import { deriveLinkToken, hashToken } from '../../platform/db/secret.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { defineJobHandler, defineSchedule } from '../../platform/jobs/job.ts'
import { defineMailHandler } from '../../platform/mail/deliver.ts'
import * as mails from '../../platform/mail/emails.ts'
import * as queries from './accounts.queries.ts'
import { accountMailJob, resetTtlSeconds, verificationTtlSeconds } from './accounts.ts'
import {
  accountDeletedMailJob,
  deleteAccount,
  deleteAccountJob,
  enqueueDueDeletions,
} from './deletion/account-deletion.ts'
import { buildExport, exportJob, exportMailJob, findFinishedExport } from './exports/exports.ts'
import { alertMailJob, findAlert, saveAlertToken } from './security-alerts/send-alert.ts'
import { settingsMailJob } from './settings/email-change.ts'
import { findPendingChange, saveChangeToken } from './settings/email-changes.queries.ts'
import { findUser, lockUser } from './users/users.ts'

/*
 * Links are created when their mail is sent, so that the queue never contains a token. A job whose account,
 * registration or change was deleted meanwhile sends no mail.
 */

/** Matches the grace period of an account deletion, because a week without reading mails is common. */
const alertTtlSeconds = 7 * 24 * 3600

export const accountJobs = [
  defineMailHandler(accountMailJob, async ({ db, secret }, payload, jobId) => {
    switch (payload.kind) {
      case 'verification': {
        const registration = await queries.findPendingRegistration(db, payload.registrationId)
        if (!registration) return null
        const token = deriveLinkToken(secret, jobId)
        await queries.insertVerificationToken(db, registration.id, hashToken(token), verificationTtlSeconds)
        return { to: registration, ...mails.verificationMail(token) }
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
        return account && { to: account, ...mails.passwordResetMail(token) }
      }
      case 'account-exists': {
        const account = await findUser(db, { id: payload.userId })
        return account && { to: account, ...mails.accountExistsMail }
      }
      case 'no-account':
        return { to: { email: payload.email, name: null }, ...mails.noAccountMail }
    }
  }),

  defineMailHandler(settingsMailJob, async ({ db, secret }, payload, jobId) => {
    if (payload.kind === 'email-taken') {
      const owner = await findUser(db, { id: payload.userId })
      return owner && { to: owner, ...mails.emailTakenMail }
    }
    const change = await findPendingChange(db, { id: payload.changeId })
    const account = change && (await findUser(db, { id: change.userId }))
    if (!account) return null
    const token = deriveLinkToken(secret, jobId)
    await saveChangeToken(db, payload.changeId, hashToken(token))
    return { to: { email: change.email, name: account.name }, ...mails.confirmEmailMail(token) }
  }),

  defineMailHandler(alertMailJob, async ({ db, secret }, { alertId }, jobId) => {
    const alert = await findAlert(db, alertId)
    const account = alert && (await findUser(db, { id: alert.userId }))
    if (!account) return null
    const token = deriveLinkToken(secret, jobId)
    await saveAlertToken(db, alert.id, hashToken(token), alertTtlSeconds)
    return { to: { email: alert.email, name: account.name }, ...mails.securityAlertMail(token, alert) }
  }),

  defineJobHandler(exportJob, buildExport),
  defineMailHandler(exportMailJob, async ({ db }, { exportId }) => {
    const made = await findFinishedExport(db, exportId)
    const owner = made && (await findUser(db, { id: made.userId }))
    return owner && { to: owner, ...mails.exportReadyMail(made.expiresAt) }
  }),

  defineSchedule('enqueue-account-deletions', '*/10 * * * *', enqueueDueDeletions),
  defineJobHandler(deleteAccountJob, deleteAccount),
  defineMailHandler(accountDeletedMailJob, async (_deps, { email, notes }) => ({
    to: { email, name: null },
    ...mails.accountDeletedMail(notes),
  })),
]
