import { defineJobHandler } from '../../../platform/jobs/job.ts'
import { buildExport, sendExportMail } from './exports.ts'
import { exportJob, exportMailJob } from './job-definitions.ts'

export const exportJobs = [defineJobHandler(exportJob, buildExport), defineJobHandler(exportMailJob, sendExportMail)]
