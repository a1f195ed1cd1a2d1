import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { answerOrphans, deleteOldClaims } from './claims.ts'
import { deleteOldReports } from './reports.ts'

export const reportJobs = [
  defineSchedule('answer-claims', '*/10 * * * *', answerOrphans),
  defineSchedule('sweep-claims', '57 3 * * *', ({ db }: { db: Db }) => deleteOldClaims(db)),
  defineSchedule('sweep-reports', '59 3 * * *', ({ db }: { db: Db }) => deleteOldReports(db)),
]
