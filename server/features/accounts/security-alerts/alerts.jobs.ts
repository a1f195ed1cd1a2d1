import { defineJobHandler } from '../../../platform/jobs/job.ts'
import { sendAlert } from './alerts.ts'
import { alertMail } from './send-alert.ts'

export const alertJobs = [defineJobHandler(alertMail, sendAlert)]
