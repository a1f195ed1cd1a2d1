import type { Db } from '../db/pool.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deleteExpiredChanges } from './email-change.ts'
import { sendSettingsMail, settingsMail } from './mails.ts'

export const settingsJobs = [
  defineWork(settingsMail, sendSettingsMail),
  defineSchedule('sweep-email-changes', '47 3 * * *', ({ db }: { db: Db }) => deleteExpiredChanges(db)),
]
