import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { settleDueNote } from './notes.queries.ts'

export const noteJobs = [
  defineSchedule('settle-due-note', '*/5 * * * *', ({ db }: { db: Db }) => inTransaction(db, settleDueNote)),
]
