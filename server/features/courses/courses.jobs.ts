import type { Deps } from '../../dependencies.ts'
import { defineJobHandler, defineSchedule } from '../../platform/jobs/job.ts'
import { courseDigestJob, enqueueDueDigests, sendDigest } from './course-digests.ts'

export const courseJobs = [
  defineSchedule('enqueue-course-digests', '*/10 * * * *', (deps: Pick<Deps, 'db' | 'jobs'>, signal) =>
    enqueueDueDigests(deps, signal),
  ),
  defineJobHandler(courseDigestJob, sendDigest),
]
