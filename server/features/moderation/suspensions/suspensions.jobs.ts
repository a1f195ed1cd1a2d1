import type { Db } from '../../../platform/db/pool.ts'
import { defineSchedule, defineWork } from '../../../platform/jobs/job.ts'
import { sendSuspensionMail, suspensionMail } from './mails.ts'
import { endSuspensions } from './suspensions.ts'

export const suspensionJobs = [
  defineWork(suspensionMail, sendSuspensionMail),
  defineSchedule('end-suspensions', '*/5 * * * *', ({ db }: { db: Db }) => endSuspensions(db)),
]
