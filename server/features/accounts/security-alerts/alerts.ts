import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps } from '../../../platform/mail/deliver.ts'
import {
  emailChangedMail,
  leavingMail,
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
import { dropEmailChange } from '../settings/cancel-email-change.ts'
import { cancelDeletion, changeEmail, findUser, getUser, lockUser, voidPassword } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

/** As long as one may change one's mind about leaving: a week without mails is not rare. */
const alertTtlSeconds = 7 * 24 * 3600
const unsentDays = 30

/** The handler of `alertMail`. The link is made here, so that no token ever lies in the queue. */
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
      return leavingMail(email, name, publicUrl, token)
    default:
      return loginMethodsChangedMail(email, name, publicUrl, token, { kind, device, at: createdAt })
  }
}

/**
 * What the owner of an account says of an alert: "this was not me". Whoever is signed in is no longer, the password and
 * every passkey are void, the address it had is the account's again, and whoever has that mailbox chooses a new password.
 * Two-factor login that was turned on since then is off again. Alerts that came before stay: of two who claim an account,
 * the one who was told first has the last word.
 * @returns the token to choose a password with.
 * @throws alert_link_invalid
 */
export async function disownChange({ db }: Pick<Deps, 'db'>, token: string): Promise<string> {
  const resetToken = await inTransaction(db, async (tx) => {
    const tokenHash = hashToken(token)
    const userId = (await queries.findUserOfAlert(tx, tokenHash)) ?? fail('alert_link_invalid')
    await lockUser(tx, userId)
    const alert = (await queries.consumeAlert(tx, tokenHash)) ?? fail('alert_link_invalid')
    await dropEmailChange(tx, userId)
    await cancelDeletion(tx, userId)
    await restoreEmail(tx, userId, alert.email)
    await revertTwoFactorSince(tx, userId, alert.createdAt)
    await deleteAllPasskeys(tx, userId)
    await voidPassword(tx, userId)
    await endSessionsOfUser(tx, userId)
    await distrustDevices(tx, userId)
    return createResetToken(tx, userId)
  })
  return resetToken
}

/** The address that was told is the account's again, unless somebody has made an account of it since. */
async function restoreEmail(tx: Tx, userId: string, email: string): Promise<void> {
  if ((await findUser(tx, { email })) !== null) return
  await changeEmail(tx, userId, email)
  await redactAuthorFromTitles(tx, await getUser(tx, userId))
}

export const deleteOldAlerts = (db: Db): Promise<void> => queries.deleteOldAlerts(db, unsentDays)
