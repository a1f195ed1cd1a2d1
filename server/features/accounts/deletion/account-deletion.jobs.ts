import type { Deps } from '../../../dependencies.ts'
import { defineSchedule, defineWork } from '../../../platform/jobs/job.ts'
import { deliver, type MailDeps as Sending } from '../../../platform/mail/deliver.ts'
import { accountLeftMail } from '../../../platform/mail/emails.ts'
import { leave, planLeavers } from './account-deletion.ts'
import { leaveJob, leftMail } from './job-definitions.ts'

type MailDeps = Sending & Pick<Deps, 'config'>

export const leavingJobs = [
  defineSchedule('plan-leavers', '*/10 * * * *', planLeavers),
  defineWork(leaveJob, leave),
  defineWork(leftMail, async (deps: MailDeps, { email, notes }, job) => {
    await deliver(deps, accountLeftMail(email, deps.config.publicUrl, notes), job)
  }),
]
