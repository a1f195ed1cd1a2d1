import type { Deps } from '../deps.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { courseMail, planMails, sendCourseMail } from './course-mails.ts'

export const courseJobs = [
  defineSchedule('plan-course-mails', '*/10 * * * *', (deps: Pick<Deps, 'db' | 'jobs'>, signal) =>
    planMails(deps, signal),
  ),
  defineWork(courseMail, sendCourseMail),
]
