import { defineWork } from '../jobs/job.ts'
import { accountMail, sendAccountMail } from './mails.ts'

export const accountJobs = [defineWork(accountMail, sendAccountMail)]
