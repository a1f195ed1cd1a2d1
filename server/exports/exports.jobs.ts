import type { Db } from '../db/pool.ts'
import { defineSchedule, defineWork } from '../jobs/job.ts'
import { deleteOldExports, makeExport, sendExportMail } from './exports.ts'
import { exportJob, exportMail } from './jobs.ts'

export const exportJobs = [
  defineWork(exportJob, makeExport),
  defineWork(exportMail, sendExportMail),
  defineSchedule('sweep-exports', '7 * * * *', ({ db }: { db: Db }) => deleteOldExports(db)),
]
