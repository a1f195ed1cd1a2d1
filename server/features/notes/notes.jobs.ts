import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { compactAuthorStats } from './author-stats/author-stats.ts'
import { settleDueNote } from './notes.queries.ts'

export const noteJobs = [
  defineSchedule('settle-due-note', '*/5 * * * *', ({ db }: { db: Db }) => inTransaction(db, settleDueNote)),
  defineSchedule('compact-author-stats', '41 3 * * *', ({ db }: { db: Db }, signal) => compactAuthorStats(db, signal)),
]
