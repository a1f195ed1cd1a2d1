import { defineWork } from '../../../platform/jobs/job.ts'
import { makeExport, sendExportMail } from './exports.ts'
import { exportJob, exportMail } from './job-definitions.ts'

export const exportJobs = [defineWork(exportJob, makeExport), defineWork(exportMail, sendExportMail)]
