import { hasRole, type Role } from '../../../../packages/contract/roles.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { getUser, lockUser } from '../../accounts/users/users.ts'
import { findActiveSuspension } from '../../moderation/suspensions/active-suspension.ts'

/** Who does what an admin may. Null: whoever has the command line. */
export type Actor = Viewer | null

/**
 * Holds an admin and whom they do something to, in one order for all, so that of two who would remove each other one is
 * first; and asks again whether they are one.
 * @throws not_found, unauthorized
 */
export async function lockActor(tx: Tx, actor: Actor, subjectIds: string[] = []): Promise<void> {
  const ids = new Set(actor ? [actor.id, ...subjectIds] : subjectIds)
  for (const id of [...ids].sort()) await lockUser(tx, id)
  if (actor) await refuseWithoutRole(tx, actor, 'admin')
}

/**
 * The guard has asked before anything was waited for; by now the role may be gone, or the account suspended.
 * @throws not_found, unauthorized
 */
export async function refuseWithoutRole(tx: Tx, { id }: Viewer, role: Role): Promise<void> {
  if (!hasRole((await getUser(tx, id)).role, role)) fail('not_found')
  if (await findActiveSuspension(tx, id)) fail('unauthorized')
}
