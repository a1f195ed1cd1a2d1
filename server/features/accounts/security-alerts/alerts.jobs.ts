import { defineJobHandler } from '../../../platform/jobs/job.ts'
import { sendAlert } from './alerts.ts'
import { alertMailJob } from './send-alert.ts'

export const alertJobs = [defineJobHandler(alertMailJob, sendAlert)]
