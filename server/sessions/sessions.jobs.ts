import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteExpiredSessions } from './sessions.ts'

export const sessionJobs = [
  defineSchedule('sweep-sessions', '27 3 * * *', ({ db }: { db: Db }) => deleteExpiredSessions(db)),
]
