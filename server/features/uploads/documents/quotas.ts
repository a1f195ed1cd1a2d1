import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { findUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { type Actor, lockActor } from '../../auth/roles/actor.ts'

/** For FROM: users with their own quota, which `upload-quota.ts` applies. */
export const uploadQuotas = sql<{ user_id: string; daily_mb: number }>`(SELECT user_id, daily_mb FROM upload_quotas)`

/** @param dailyMb null: the quota of the instance. @throws member_not_found */
export function changeQuota(db: Db, actor: Actor, userId: string, dailyMb: number | null): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor, [userId])
    if (!(await findUser(tx, { id: userId }))) fail('member_not_found')
    if (dailyMb === null) await tx.deleteFrom('upload_quotas').where('user_id', '=', userId).execute()
    else await saveQuota(tx, userId, dailyMb)
    await recordAudit(tx, actor, 'quota', userId, { mb: String(dailyMb ?? 'as all') })
  })
}

async function saveQuota(tx: Tx, userId: string, dailyMb: number): Promise<void> {
  await tx
    .insertInto('upload_quotas')
    .values({ user_id: userId, daily_mb: dailyMb })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ daily_mb: dailyMb }))
    .execute()
}
