import { sql } from 'kysely'
import { writeAudit } from '../audit/audit.ts'
import type { Db, Tx } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { fail } from '../http/failure.ts'
import { type Actor, holdActor } from '../roles/actor.ts'
import { findUser } from '../users/users.ts'

/** For FROM: students with a quota of their own, which `allowance.ts` heeds. */
export const uploadQuotas = sql<{ user_id: string; daily_mb: number }>`(SELECT user_id, daily_mb FROM upload_quotas)`

/** @param dailyMb null: as all may. @throws member_not_found */
export function changeQuota(db: Db, actor: Actor, userId: string, dailyMb: number | null): Promise<void> {
  return inTransaction(db, async (tx) => {
    await holdActor(tx, actor, [userId])
    if (!(await findUser(tx, { id: userId }))) fail('member_not_found')
    if (dailyMb === null) await tx.deleteFrom('upload_quotas').where('user_id', '=', userId).execute()
    else await saveQuota(tx, userId, dailyMb)
    const details = { mb: String(dailyMb ?? 'as all') }
    await writeAudit(tx, { actorId: actor?.id ?? null, action: 'quota', subjectId: userId, details })
  })
}

async function saveQuota(tx: Tx, userId: string, dailyMb: number): Promise<void> {
  await tx
    .insertInto('upload_quotas')
    .values({ user_id: userId, daily_mb: dailyMb })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ daily_mb: dailyMb }))
    .execute()
}
