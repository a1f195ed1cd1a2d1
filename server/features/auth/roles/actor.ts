import { hasRole, type Role } from '../../../../packages/contract/roles.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { getUser, lockUser } from '../../accounts/users/users.ts'
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
