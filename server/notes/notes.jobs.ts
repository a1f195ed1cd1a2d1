import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteOldBatches, settleDueNote } from './notes.queries.ts'

export const noteJobs = [
  defineSchedule('sweep-upload-batches', '57 3 * * *', ({ db }: { db: Db }) => deleteOldBatches(db)),
  defineSchedule('settle-due-note', '*/5 * * * *', ({ db }: { db: Db }) => inTransaction(db, settleDueNote)),
]
