import { defineWork } from '../jobs/job.ts'
import { makeExport, sendExportMail } from './exports.ts'
import { exportJob, exportMail } from './jobs.ts'

export const exportJobs = [defineWork(exportJob, makeExport), defineWork(exportMail, sendExportMail)]
