import { sql } from 'kysely'
import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { AlertKind } from '../../../platform/mail/emails.ts'
import { getUser } from '../users/users.ts'

export const alertMailJob = defineJob('alert-mail', z.object({ alertId: z.uuid() }), { concurrency: 4 })

/**
 * Alerts the owner of an account to a change. Call it in the transaction of the change, which locks the user.
 * @param options.device the label of the device that made the change, for kinds whose mail shows it.
 * @param options.email the address to alert; by default the current one of the account.
 */
export async function sendAlert(
  jobs: Deps['jobs'],
  tx: Tx,
  userId: string,
  kind: AlertKind,
  { device = null, email }: { device?: string | null; email?: string } = {},
): Promise<void> {
  const { id } = await tx
    .insertInto('security_alerts')
    .values({ user_id: userId, email: email ?? (await getUser(tx, userId)).email, kind, device })
    .returning('id')
    .executeTakeFirstOrThrow()
  await jobs.enqueue(tx, alertMailJob, { alertId: id })
}

/** Counts the recent alerts of a kind, without those that a used link has deleted. */
export async function countAlerts(db: Db, userId: string, kind: AlertKind, withinSeconds: number): Promise<number> {
  const { count } = await db
    .selectFrom('security_alerts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('created_at', '>', inSeconds(-withinSeconds))
    .executeTakeFirstOrThrow()
  return count
}

export async function findAlert(db: Db, id: string) {
  const row = await db
    .selectFrom('security_alerts')
    .select(['id', 'user_id as userId', 'email', 'kind', 'device', 'created_at as createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ? { ...row, kind: row.kind as AlertKind } : null
}

export async function saveAlertToken(db: Db, id: string, tokenHash: Buffer, ttlSeconds: number): Promise<void> {
  await db
    .updateTable('security_alerts')
    .set({ token_hash: tokenHash, expires_at: inSeconds(ttlSeconds) })
    .where('id', '=', id)
    .execute()
}

export async function findUserOfAlert(db: Db, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('security_alerts')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.user_id ?? null
}

type UsedAlert = { email: string; createdAt: Date }

/** Consumes a link and deletes all later alerts. @returns the address that received it and the time of the alert. */
export async function consumeAlert(tx: Tx, tokenHash: Buffer): Promise<UsedAlert | null> {
  const used = await tx
    .deleteFrom('security_alerts')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'number', 'email', 'created_at as createdAt'])
    .executeTakeFirst()
  if (!used) return null
  await tx.deleteFrom('security_alerts').where('user_id', '=', used.user_id).where('number', '>', used.number).execute()
  return { email: used.email, createdAt: used.createdAt }
}

/** An alert whose mail was never sent is kept for thirty days. */
export async function deleteOldAlerts(db: Db): Promise<void> {
  await sql`
    DELETE FROM security_alerts
     WHERE expires_at < now() OR token_hash IS NULL AND created_at < now() - interval '30 days'`.execute(db)
}
