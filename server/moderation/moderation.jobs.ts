import { defineWork } from '../jobs/job.ts'
import { moderationMail, sendModerationMail } from './mails.ts'

export const moderationJobs = [defineWork(moderationMail, sendModerationMail)]
