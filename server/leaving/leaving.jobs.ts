import type { Deps } from '../deps.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deliver } from '../mail/deliver.ts'
import { accountLeftMail } from '../mail/templates/account-left.ts'
import { leaveJob, leftMail } from './jobs.ts'
import { leave, planLeavers } from './leaving.ts'

type MailDeps = Pick<Deps, 'mailer' | 'config'>

export const leavingJobs = [
  defineSchedule('plan-leavers', '*/10 * * * *', planLeavers),
  defineWork(leaveJob, leave),
  defineWork(leftMail, async ({ mailer, config }: MailDeps, { email, keepsNotes }, job) => {
    await deliver(mailer, accountLeftMail(email, config.publicUrl, keepsNotes), job)
  }),
]
