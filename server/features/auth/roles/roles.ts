import { hasRole, type Role } from '../../../../packages/contract/roles.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { changeRole, findUser, getUser, lockUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { findActiveSuspension } from '../../moderation/suspensions/active-suspension.ts'

/** The admin who performs an audited action; null is the operator at the command line. */
export type Actor = Viewer | null

/**
 * Locks the admin and the affected users in one order for all callers, so that of two admins who remove each other only
 * the first succeeds, and then checks the admin's role again.
 * @throws not_found, unauthorized
 */
export async function lockActor(tx: Tx, actor: Actor, subjectIds: string[] = []): Promise<void> {
  const ids = new Set(actor ? [actor.id, ...subjectIds] : subjectIds)
  for (const id of [...ids].sort()) await lockUser(tx, id)
  if (actor) await assertRole(tx, actor, 'admin')
}

/**
 * The guard ran before any lock was waited for; the role may be revoked or the account suspended by now.
 * @throws not_found, unauthorized
 */
export async function assertRole(tx: Tx, { id }: Viewer, role: Role): Promise<void> {
  if (!hasRole((await getUser(tx, id)).role, role)) fail('not_found')
  if (await findActiveSuspension(tx, id)) fail('unauthorized')
}

type RoleDeps = Pick<Deps, 'db'>

/**
 * Sets the role of an account from the command line; it applies to the next request on every server.
 * @returns the previous role, or null when no account has this email.
 */
export function setRole({ db }: RoleDeps, email: string, role: Role): Promise<Role | null> {
  return inTransaction(db, async (tx) => {
    const found = await findUser(tx, { email })
    return found && assignRole(tx, null, found.id, role)
  })
}

/** Admins cannot change their own role, so that the last one stays. @throws own_account, member_not_found */
export async function changeMemberRole({ db }: RoleDeps, admin: Viewer, userId: string, role: Role): Promise<void> {
  if (userId === admin.id) fail('own_account')
  await inTransaction(db, async (tx) => {
    if ((await assignRole(tx, admin, userId, role)) === null) fail('member_not_found')
  })
}

async function assignRole(tx: Tx, actor: Actor, userId: string, role: Role): Promise<Role | null> {
  await lockActor(tx, actor, [userId])
  const user = await findUser(tx, { id: userId })
  if (user && user.role !== role) {
    await changeRole(tx, user.id, role)
    await recordAudit(tx, actor, 'role', user.id, { from: user.role, to: role })
  }
  return user?.role ?? null
}
