import type { Db } from '../../../platform/db/pool.ts'
import { defineJobHandler, defineSchedule } from '../../../platform/jobs/job.ts'
import { sendSuspensionMail, suspensionMail } from './mails.ts'
import { expireSuspensions } from './suspensions.ts'

export const suspensionJobs = [
  defineJobHandler(suspensionMail, sendSuspensionMail),
  defineSchedule('end-suspensions', '*/5 * * * *', ({ db }: { db: Db }) => expireSuspensions(db)),
]
