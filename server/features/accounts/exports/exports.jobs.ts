import { defineJobHandler } from '../../../platform/jobs/job.ts'
import { buildExport, sendExportMail } from './exports.ts'
import { exportJob, exportMail } from './job-definitions.ts'

export const exportJobs = [defineJobHandler(exportJob, buildExport), defineJobHandler(exportMail, sendExportMail)]
