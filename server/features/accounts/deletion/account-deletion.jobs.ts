import type { Deps } from '../../../dependencies.ts'
import { defineJobHandler, defineSchedule } from '../../../platform/jobs/job.ts'
import { deliverMail, type MailDeps as Sending } from '../../../platform/mail/deliver.ts'
import { accountDeletedMail } from '../../../platform/mail/emails.ts'
import { deleteAccount, enqueueDueDeletions } from './account-deletion.ts'
import { accountDeletedMailJob, deleteAccountJob } from './job-definitions.ts'

type MailDeps = Sending & Pick<Deps, 'config'>

export const accountDeletionJobs = [
  defineSchedule('enqueue-account-deletions', '*/10 * * * *', enqueueDueDeletions),
  defineJobHandler(deleteAccountJob, deleteAccount),
  defineJobHandler(accountDeletedMailJob, async (deps: MailDeps, { email, notes }, job) => {
    await deliverMail(deps, accountDeletedMail(email, deps.config.publicUrl, notes), job)
  }),
]
