import { defineWork } from '../jobs/job.ts'
import { sendSettingsMail, settingsMail } from './mails.ts'

export const settingsJobs = [defineWork(settingsMail, sendSettingsMail)]
