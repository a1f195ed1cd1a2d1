import { defineWork } from '../jobs/job.ts'
import { invitationMail, sendInvitationMail } from './mails.ts'

export const invitationJobs = [defineWork(invitationMail, sendInvitationMail)]
