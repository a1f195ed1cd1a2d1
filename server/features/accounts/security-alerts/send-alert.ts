import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { getUser } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

export const alertMail = defineJob('alert-mail', z.object({ alertId: z.uuid() }), { concurrency: 4 })

/** Tells the owner of an account what was done to it. Call it in the transaction that does it, which holds the user. */
export async function sendAlert(jobs: Deps['jobs'], tx: Tx, alert: queries.NewAlert): Promise<void> {
  await jobs.enqueue(tx, alertMail, { alertId: await queries.insertAlert(tx, alert) })
}

/** How many of a kind were raised for a user of late, those left out that a link has taken back. */
export const countAlerts: (db: Db, userId: string, kind: queries.AlertKind, withinSeconds: number) => Promise<number> =
  queries.countAlerts

/** The same at the address that the account has now. */
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
