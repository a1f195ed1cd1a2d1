import { defineWork } from '../jobs/job.ts'
import { sendAlert } from './alerts.ts'
import { alertMail } from './raise-alert.ts'

export const alertJobs = [defineWork(alertMail, sendAlert)]
