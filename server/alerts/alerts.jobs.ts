import type { Db } from '../db/pool.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deleteOldAlerts, sendAlert } from './alerts.ts'
import { alertMail } from './raise-alert.ts'

export const alertJobs = [
  defineWork(alertMail, sendAlert),
  defineSchedule('sweep-alerts', '37 3 * * *', ({ db }: { db: Db }) => deleteOldAlerts(db)),
]
