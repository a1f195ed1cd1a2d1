import type { Db } from '../../../platform/db/pool.ts'
import { defineJobHandler, defineSchedule } from '../../../platform/jobs/job.ts'
import { sendSuspensionMail, suspensionMailJob } from './mails.ts'
import { expireSuspensions } from './suspensions.ts'

export const suspensionJobs = [
  defineJobHandler(suspensionMailJob, sendSuspensionMail),
  defineSchedule('expire-suspensions', '*/5 * * * *', ({ db }: { db: Db }) => expireSuspensions(db)),
]
