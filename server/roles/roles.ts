import type { Role } from '../../contract/roles.ts'
import { writeAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import { changeRole, findUser, lockUser } from '../users/users.ts'

/**
 * Gives the account of an e-mail a role. When it resolves, every server knows: the database announces it (migration 0024).
 * @returns the role it had, or null where there is no such account.
 */
export async function setRole(
  { db, announcements }: Pick<Deps, 'db' | 'announcements'>,
  email: string,
  role: Role,
): Promise<Role | null> {
  const before = await db.transaction().execute(async (tx) => {
    const found = await findUser(tx, { email })
    if (!found) return null
    await lockUser(tx, found.id)
    const user = await findUser(tx, { email })
    if (user && user.role !== role) {
      await changeRole(tx, user.id, role)
      const details = { from: user.role, to: role }
      await writeAudit(tx, { actorId: null, action: 'role', subjectId: user.id, details })
    }
    return user?.role ?? null
  })
  if (before !== null && before !== role) await announcements.settled()
  return before
}
