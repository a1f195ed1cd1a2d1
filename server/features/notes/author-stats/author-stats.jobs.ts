import type { Db } from '../../../platform/db/pool.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { compactAuthorStats } from './author-stats.ts'

export const authorStatsJobs = [
  defineSchedule('compact-author-stats', '41 3 * * *', ({ db }: { db: Db }, signal) => compactAuthorStats(db, signal)),
]
