import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteOldUploads } from './allowance.ts'

export const documentJobs = [
  defineSchedule('sweep-uploads', '47 3 * * *', ({ db }: { db: Db }) => deleteOldUploads(db)),
]
