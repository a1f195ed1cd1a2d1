import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { distrustDevices } from '../../auth/sessions/known-devices.ts'
import { deleteAllPasskeys, endSessionsOfUser, revertTwoFactorSince } from '../../auth/sessions/revoke-access.ts'
import { redactAuthorFromTitles } from '../../notes/notes.ts'
import { createResetToken } from '../accounts.ts'
import {
  cancelDeletion,
  cancelEmailChange,
  changeIdentity,
  deletePassword,
  findUser,
  getUser,
  lockUser,
} from '../users/users.ts'
import * as queries from './send-alert.ts'

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
  await changeIdentity(tx, userId, { email })
  await redactAuthorFromTitles(tx, await getUser(tx, userId))
}
