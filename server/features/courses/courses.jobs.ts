import type { Deps } from '../../dependencies.ts'
import { defineSchedule, defineWork } from '../../platform/jobs/job.ts'
import { courseMail, planMails, sendCourseMail } from './course-digests.ts'

export const courseJobs = [
  defineSchedule('plan-course-mails', '*/10 * * * *', (deps: Pick<Deps, 'db' | 'jobs'>, signal) =>
    planMails(deps, signal),
  ),
  defineWork(courseMail, sendCourseMail),
]
