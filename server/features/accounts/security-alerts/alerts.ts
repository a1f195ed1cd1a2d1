import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps } from '../../../platform/mail/deliver.ts'
import {
  deletionScheduledMail,
  emailChangedMail,
  loginMethodsChangedMail,
  newDeviceMail,
  passwordChangedMail,
} from '../../../platform/mail/emails.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { deleteAllPasskeys } from '../../auth/passkeys/delete-all-passkeys.ts'
import { distrustDevices } from '../../auth/sessions/known-devices.ts'
import { endSessionsOfUser } from '../../auth/sessions/sessions.ts'
import { revertTwoFactorSince } from '../../auth/two-factor/revert-two-factor.ts'
import { redactAuthorFromTitles } from '../../notes/notes.ts'
import { createResetToken } from '../accounts.ts'
import { deriveLinkToken } from '../link-token.ts'
import { cancelEmailChange } from '../settings/cancel-email-change.ts'
import { cancelDeletion, changeEmail, deletePassword, findUser, getUser, lockUser } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

/** Matches the grace period of an account deletion, because a week without reading mails is common. */
const alertTtlSeconds = 7 * 24 * 3600
const unsentDays = 30

/** Handles `alertMailJob`. The link is created here, so that the queue never contains a token. */
export async function sendAlert(
  deps: MailDeps & Pick<Deps, 'config' | 'secret'>,
  { alertId }: { alertId: string },
  job: JobContext,
): Promise<void> {
  const alert = await queries.findAlert(deps.db, alertId)
  const account = alert && (await findUser(deps.db, { id: alert.userId }))
  if (!account) return
  const token = deriveLinkToken(deps.secret, job.jobId)
  await queries.saveAlertToken(deps.db, alert.id, hashToken(token), alertTtlSeconds)
  await deliverMail(deps, writeAlert(alert, account.name, deps.config.publicUrl, token), job)
}

type Alert = NonNullable<Awaited<ReturnType<typeof queries.findAlert>>>

function writeAlert(alert: Alert, name: string, publicUrl: string, token: string): Mail {
  const { kind, email, device, createdAt } = alert
  switch (kind) {
    case 'password-changed':
      return passwordChangedMail(email, name, publicUrl, token)
    case 'email-changed':
      return emailChangedMail(email, name, publicUrl, token)
    case 'new-device':
      return newDeviceMail(email, name, publicUrl, token, { device, at: createdAt })
    case 'leaving':
      return deletionScheduledMail(email, name, publicUrl, token)
    default:
      return loginMethodsChangedMail(email, name, publicUrl, token, { kind, device, at: createdAt })
  }
}

/**
 * Handles "Secure my account" in a security alert: ends all sessions, deletes the password and all passkeys, and restores
 * the previous email address. The owner of that mailbox can then choose a new password. Two-factor login that was
 * turned on since the alert is turned off. Earlier alerts stay valid: of two people who claim an account, the one
 * alerted first decides.
 * @returns the token to choose a password with.
 * @throws alert_link_invalid
 */
export async function secureAccount({ db }: Pick<Deps, 'db'>, token: string): Promise<string> {
  const resetToken = await inTransaction(db, async (tx) => {
    const tokenHash = hashToken(token)
    const userId = (await queries.findUserOfAlert(tx, tokenHash)) ?? fail('alert_link_invalid')
    await lockUser(tx, userId)
    const alert = (await queries.consumeAlert(tx, tokenHash)) ?? fail('alert_link_invalid')
    await cancelEmailChange(tx, userId)
    await cancelDeletion(tx, userId)
    await restoreEmail(tx, userId, alert.email)
    await revertTwoFactorSince(tx, userId, alert.createdAt)
    await deleteAllPasskeys(tx, userId)
    await deletePassword(tx, userId)
    await endSessionsOfUser(tx, userId)
    await distrustDevices(tx, userId)
    return createResetToken(tx, userId)
  })
  return resetToken
}

/** Restores the alerted address unless another account has been created for it since. */
async function restoreEmail(tx: Tx, userId: string, email: string): Promise<void> {
  if ((await findUser(tx, { email })) !== null) return
  await changeEmail(tx, userId, email)
  await redactAuthorFromTitles(tx, await getUser(tx, userId))
}

export const deleteOldAlerts = (db: Db): Promise<void> => queries.deleteOldAlerts(db, unsentDays)
