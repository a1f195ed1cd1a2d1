import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteOldBatches } from './notes.queries.ts'

export const noteJobs = [
  defineSchedule('sweep-upload-batches', '57 3 * * *', ({ db }: { db: Db }) => deleteOldBatches(db)),
]
