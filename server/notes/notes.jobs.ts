import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'
import { defineSchedule } from '../jobs/job.ts'
import { settleDueNote } from './notes.queries.ts'

export const noteJobs = [
  defineSchedule('settle-due-note', '*/5 * * * *', ({ db }: { db: Db }) => inTransaction(db, settleDueNote)),
]
