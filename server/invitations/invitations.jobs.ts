import type { Db } from '../db/pool.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deleteOldInvitations } from './invitations.ts'
import { invitationMail, sendInvitationMail } from './mails.ts'

export const invitationJobs = [
  defineWork(invitationMail, sendInvitationMail),
  defineSchedule('sweep-invitations', '47 3 * * *', ({ db }: { db: Db }) => deleteOldInvitations(db)),
]
