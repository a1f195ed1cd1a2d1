import type { Db } from '../db/pool.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deleteOldRefusals } from '../mail/deliver.ts'
import { deleteOldRegistrations } from './accounts.ts'
import { accountMail, sendAccountMail } from './mails.ts'

export const accountJobs = [
  defineWork(accountMail, sendAccountMail),
  defineSchedule('sweep-accounts', '17 3 * * *', async ({ db }: { db: Db }) => {
    await deleteOldRegistrations(db)
    await deleteOldRefusals(db)
  }),
]
