import { sql } from 'kysely'
import { writeAudit } from '../audit/audit.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import { findDailyUploadMb } from '../house/house.ts'
import { type Actor, holdActor } from '../roles/actor.ts'
import { findUser } from '../users/users.ts'

/** For FROM: students with a quota of their own. */
export const uploadQuotas = sql<{ user_id: string; daily_mb: number }>`(SELECT user_id, daily_mb FROM upload_quotas)`

/** What somebody may upload in 24 hours: their own quota, else that of all; never more than the environment says. */
export async function findDailyMb(tx: Tx, { maxUploadMbPerDay }: Deps['config'], userId: string): Promise<number> {
  const given = (await findOwnDailyMb(tx, userId)) ?? (await findDailyUploadMb(tx)) ?? maxUploadMbPerDay
  return Math.min(given, maxUploadMbPerDay)
}

/** Null where there is none for this student alone. */
export async function findOwnDailyMb(db: Db, userId: string): Promise<number | null> {
  const row = await db.selectFrom('upload_quotas').select('daily_mb').where('user_id', '=', userId).executeTakeFirst()
  return row?.daily_mb ?? null
}

/** @param dailyMb null: as all may. @throws member_not_found */
export function changeQuota(db: Db, actor: Actor, userId: string, dailyMb: number | null): Promise<void> {
  return db.transaction().execute(async (tx) => {
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
