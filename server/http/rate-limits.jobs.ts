import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteExpiredCounts } from './rate-limits.ts'

export const rateLimitJobs = [
  defineSchedule('sweep-rate-limits', '37 3 * * *', ({ db }: { db: Db }) => deleteExpiredCounts(db)),
]
