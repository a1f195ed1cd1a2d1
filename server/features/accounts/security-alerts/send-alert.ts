import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { AlertKind } from '../../../platform/mail/emails.ts'
import { getUser } from '../users/users.ts'
import * as queries from './alerts.queries.ts'

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
  const alert = { userId, kind, device, email: email ?? (await getUser(tx, userId)).email }
  await jobs.enqueue(tx, alertMailJob, { alertId: await queries.insertAlert(tx, alert) })
}

/** Counts the recent alerts of a kind, without those that a used link has deleted. */
export const { countAlerts } = queries
