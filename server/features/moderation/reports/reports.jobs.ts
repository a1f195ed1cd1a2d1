import { defineSchedule } from '../../../platform/jobs/job.ts'
import { notifyClaimantsOfDeletedNotes } from './copyright-claims.ts'

export const reportJobs = [defineSchedule('notify-claimants', '*/10 * * * *', notifyClaimantsOfDeletedNotes)]
