import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { getUser } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

export const alertMailJob = defineJob('alert-mail', z.object({ alertId: z.uuid() }), { concurrency: 4 })

/** Alerts the owner of an account to a change. Call it in the transaction of the change, which locks the user. */
export async function sendAlert(jobs: Deps['jobs'], tx: Tx, alert: queries.NewAlert): Promise<void> {
  await jobs.enqueue(tx, alertMailJob, { alertId: await queries.insertAlert(tx, alert) })
}

/** Counts the recent alerts of a kind, without those that a used link has deleted. */
export const countAlerts: (db: Db, userId: string, kind: queries.AlertKind, withinSeconds: number) => Promise<number> =
  queries.countAlerts

/** Sends the alert to the current address of the account. */
export async function sendAlertToUser(
  jobs: Deps['jobs'],
  tx: Tx,
  userId: string,
  kind: queries.AlertKind,
  device: string | null,
): Promise<void> {
  const { email } = await getUser(tx, userId)
  await sendAlert(jobs, tx, { userId, email, kind, device })
}
