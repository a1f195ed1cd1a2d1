import type { Deps } from '../deps.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deliver, type MailDeps as Sending } from '../mail/deliver.ts'
import { accountLeftMail } from '../mail/emails.ts'
import { leaveJob, leftMail } from './jobs.ts'
import { leave, planLeavers } from './leaving.ts'

type MailDeps = Sending & Pick<Deps, 'config'>

export const leavingJobs = [
  defineSchedule('plan-leavers', '*/10 * * * *', planLeavers),
  defineWork(leaveJob, leave),
  defineWork(leftMail, async (deps: MailDeps, { email, notes }, job) => {
    await deliver(deps, accountLeftMail(email, deps.config.publicUrl, notes), job)
  }),
]
