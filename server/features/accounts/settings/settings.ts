import type { PasswordChange } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { failWrongPassword } from '../../auth/sessions/confirm-password.ts'
import { endOtherSessions } from '../../auth/sessions/revoke-access.ts'
import { redactAuthorFromTitles } from '../../notes/notes.ts'
import { deleteResetTokens } from '../accounts.queries.ts'
import { assertPasswordNotCommon } from '../accounts.ts'
import { sendAlert } from '../security-alerts/send-alert.ts'
import { getUser, lockUser, renameUser, replacePassword } from '../users/users.ts'
import { cancelEmailChange } from './cancel-email-change.ts'

/** Notes by name show the new name immediately. Titles of anonymous notes must not reveal their author by it. */
export async function changeName(db: Db, { id }: Viewer, name: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    await renameUser(tx, id, name)
    await redactAuthorFromTitles(tx, await getUser(tx, id))
  })
}

/**
 * Ends every other session, voids every reset link, and alerts the owner.
 * @param confirmedHash is the hash of the confirmed password. @throws common_password, wrong_password, busy
 */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'jobs' | 'passwords'>,
  { viewer, sessionId, confirmedHash }: { viewer: Viewer; sessionId: string; confirmedHash: string },
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
