import { defineWork } from '../jobs/job.ts'
import { claimMail } from '../reports/claims.ts'
import { moderationMail, sendClaimMail, sendModerationMail } from './mails.ts'

export const moderationJobs = [defineWork(moderationMail, sendModerationMail), defineWork(claimMail, sendClaimMail)]
