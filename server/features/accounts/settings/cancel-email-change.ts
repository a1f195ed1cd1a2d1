import type { Db } from '../../../platform/db/pool.ts'

/**
 * Voids a pending change and its link. New passwords and sign-outs of other devices void it as well, because a stranger
 * may have requested it.
 */
export async function cancelEmailChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute()
}
