import { settingsMessages } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { isAddressSuppressed, unsuppressAddress } from '../../../platform/mail/deliver.ts'
import { hasCode } from '../../../platform/observability/log.ts'
import { failWrongPassword } from '../../auth/sessions/confirm-password.ts'
import { redactAuthorFromTitles } from '../../notes/notes.ts'
import { mailsPerAddressLimit, voidRegistrations, voidResets } from '../accounts.ts'
import { sendAlert } from '../security-alerts/send-alert.ts'
import { changeEmail, findUser, getUser, lockPassword, lockUser } from '../users/users.ts'
import * as queries from './email-changes.queries.ts'
import { settingsMail } from './settings.jobs.ts'

/** As long as that of a registration. */
const linkTtlSeconds = 24 * 3600
/** Each may be a mail to a stranger. */
const wishLimit = { name: 'email-change', points: 10, seconds: 24 * 3600 }

/**
 * Mails a link to the address, or, where it has an account, its owner a note. Whoever asks is told the same and is shown
 * the same, whose address it may be.
 * @param asked `confirmedHash` is of the password that was asked for.
 * @throws invalid_input where it is one's own, wrong_password, rate_limited
 */
export async function requestEmailChange(
  { db, jobs, rateLimits }: Pick<Deps, 'db' | 'jobs' | 'rateLimits'>,
  { viewer: { id }, confirmedHash }: { viewer: Viewer; confirmedHash: string },
  email: string,
): Promise<void> {
  await rateLimits.take(wishLimit, id)
  const mayMail = await rateLimits.allows(mailsPerAddressLimit('email-change'), email)
  await inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    // Changed since it was confirmed, or void: whoever did that knows more than this session does.
    if (!(await lockPassword(tx, id, confirmedHash))) failWrongPassword()
    if ((await getUser(tx, id)).email === email) {
      fail('invalid_input', { fields: { email: settingsMessages.ownEmail } })
    }
    if (!mayMail && (await queries.renewEmailChange(tx, id, email, linkTtlSeconds))) return
    const changeId = await queries.replaceEmailChange(tx, id, email, linkTtlSeconds)
    const owner = await findUser(tx, { email })
    if (!mayMail) return
    await jobs.enqueue(
      tx,
      settingsMail,
      owner ? { kind: 'email-taken', userId: owner.id } : { kind: 'email', changeId },
    )
  })
}

/** The address that waits for its mailbox, as its student is shown it, and whether the one they have takes mails. */
export async function describeEmail(db: Db, { id }: Viewer) {
  const change = await queries.findPendingChange(db, { userId: id })
  return {
    pending: change && { email: change.email, expiresAt: change.expiresAt.toISOString() },
    isRefused: await isAddressSuppressed(db, (await getUser(db, id)).email),
  }
}

export const mailAgain = async (db: Db, { id }: Viewer): Promise<void> =>
  unsuppressAddress(db, (await getUser(db, id)).email)

/**
 * Gives the account the address whose mailbox the link came to, and tells the old one. Links to choose a password that
 * lie in the old mailbox are void. Using the link again is a success again, as with that of a registration.
 * @throws email_link_invalid, also when the address has got an account meanwhile
 */
export async function confirmEmailChange({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, token: string): Promise<void> {
  const tokenHash = hashToken(token)
  const { userId } = (await queries.findChangeOfToken(db, tokenHash)) ?? fail('email_link_invalid')
  const confirm = inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    const change = (await queries.findChangeOfToken(tx, tokenHash)) ?? fail('email_link_invalid')
    if (change.isConfirmed) return
    const { email: before } = await getUser(tx, userId)
    await changeEmail(tx, userId, change.email)
    await queries.markConfirmed(tx, userId)
    await voidRegistrations(tx, change.email)
    await voidResets(tx, userId)
    await redactAuthorFromTitles(tx, await getUser(tx, userId))
    await sendAlert(jobs, tx, { userId, email: before, kind: 'email-changed' })
  })
  await confirm.catch((error) => {
    if (hasCode(error, uniqueViolation)) fail('email_link_invalid')
    throw error
  })
}

const uniqueViolation = '23505'

export const deleteExpiredChanges: (db: Db) => Promise<void> = queries.deleteExpiredChanges
