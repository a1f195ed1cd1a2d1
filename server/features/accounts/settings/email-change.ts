import { z } from 'zod'
import { type PasswordChange, settingsMessages } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { isAddressSuppressed, unsuppressAddress } from '../../../platform/mail/deliver.ts'
import { hasCode } from '../../../platform/observability/log.ts'
import { type Confirmed, failWrongPassword, lockWithConfirmedPassword } from '../../auth/sessions/confirm-password.ts'
import { endOtherSessions } from '../../auth/sessions/revoke-access.ts'
import { redactAuthorFromTitles } from '../../notes/notes.ts'
import { deletePendingRegistrations, deleteResetTokens } from '../accounts.queries.ts'
import { assertPasswordNotCommon, mailsPerAddressLimit } from '../accounts.ts'
import { sendAlert } from '../security-alerts/send-alert.ts'
import { cancelEmailChange, changeIdentity, findUser, getUser, lockUser, replacePassword } from '../users/users.ts'
import * as queries from './email-changes.queries.ts'

const settingsMailPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('email'), changeId: z.uuid() }),
  z.object({ kind: z.literal('email-taken'), userId: z.uuid() }),
])

export const settingsMailJob = defineJob('settings-mail', settingsMailPayload, { concurrency: 2 })

/** The link lives as long as that of a registration. */
const linkTtlSeconds = 24 * 3600
/** Each request may send a mail to a stranger. */
const wishLimit = { name: 'email-change', points: 10, seconds: 24 * 3600 }

/**
 * Mails a link to the address, or a notice to its owner if it has an account. The caller gets the same response and the
 * same view in both cases, so that neither reveals the account.
 * @throws invalid_input for the user's own address, wrong_password, rate_limited
 */
export async function requestEmailChange(
  { db, jobs, rateLimits }: Pick<Deps, 'db' | 'jobs' | 'rateLimits'>,
  { viewer: { id }, confirmedHash }: Pick<Confirmed, 'viewer' | 'confirmedHash'>,
  email: string,
): Promise<void> {
  await rateLimits.consume(wishLimit, id)
  const mayMail = await rateLimits.tryConsume(mailsPerAddressLimit('email-change'), email)
  await inTransaction(db, async (tx) => {
    await lockWithConfirmedPassword(tx, id, confirmedHash)
    if ((await getUser(tx, id)).email === email) {
      fail('invalid_input', { fields: { email: settingsMessages.ownEmail } })
    }
    if (!mayMail && (await queries.renewEmailChange(tx, id, email, linkTtlSeconds))) return
    const changeId = await queries.replaceEmailChange(tx, id, email, linkTtlSeconds)
    const owner = await findUser(tx, { email })
    if (!mayMail) return
    await jobs.enqueue(
      tx,
      settingsMailJob,
      owner ? { kind: 'email-taken', userId: owner.id } : { kind: 'email', changeId },
    )
  })
}

/** Returns the pending address and whether the current one is on the suppression list. */
export async function describeEmail(db: Db, { id }: Viewer) {
  const change = await queries.findPendingChange(db, { userId: id })
  return {
    pending: change && { email: change.email, expiresAt: change.expiresAt.toISOString() },
    isRefused: await isAddressSuppressed(db, (await getUser(db, id)).email),
  }
}

export const resumeMails = async (db: Db, { id }: Viewer): Promise<void> =>
  unsuppressAddress(db, (await getUser(db, id)).email)

/**
 * Gives the account the address whose mailbox received the link, and alerts the old address. Reset links in the old
 * mailbox are void. A used link succeeds again, like that of a registration.
 * @throws email_link_invalid, also when the address has an account by now
 */
export async function confirmEmailChange({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, token: string): Promise<void> {
  const tokenHash = hashToken(token)
  const { userId } = (await queries.findChangeOfToken(db, tokenHash)) ?? fail('email_link_invalid')
  const confirm = inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    const change = (await queries.findChangeOfToken(tx, tokenHash)) ?? fail('email_link_invalid')
    if (change.isConfirmed) return
    const { email: before } = await getUser(tx, userId)
    await changeIdentity(tx, userId, { email: change.email })
    await queries.markConfirmed(tx, userId)
    await deletePendingRegistrations(tx, change.email)
    await deleteResetTokens(tx, userId)
    await redactAuthorFromTitles(tx, await getUser(tx, userId))
    await sendAlert(jobs, tx, userId, 'email-changed', { email: before })
  })
  await confirm.catch((error) => {
    if (hasCode(error, uniqueViolation)) fail('email_link_invalid')
    throw error
  })
}

const uniqueViolation = '23505'

/** Notes by name show the new name immediately. Titles of anonymous notes must not reveal their author by it. */
export async function changeName(db: Db, { id }: Viewer, name: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    await changeIdentity(tx, id, { name })
    await redactAuthorFromTitles(tx, await getUser(tx, id))
  })
}

/**
 * Ends every other session, voids every reset link, and alerts the owner.
 * @throws common_password, wrong_password, busy
 */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'jobs' | 'passwords'>,
  { viewer, sessionId, confirmedHash }: Confirmed,
  { password }: PasswordChange,
): Promise<void> {
  await assertPasswordNotCommon(password, await getUser(deps.db, viewer.id))
  const passwordHash = await deps.passwords.hash(password)
  await inTransaction(deps.db, async (tx) => {
    await lockUser(tx, viewer.id)
    // The confirmation is void if the password was changed or reset since.
    if (!(await replacePassword(tx, viewer.id, confirmedHash, passwordHash))) failWrongPassword()
    await deleteResetTokens(tx, viewer.id)
    await cancelEmailChange(tx, viewer.id)
    await endOtherSessions(tx, viewer.id, sessionId)
    await sendAlert(deps.jobs, tx, viewer.id, 'password-changed')
  })
}
