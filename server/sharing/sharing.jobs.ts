import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { foldSharing } from './sharing.ts'

export const sharingJobs = [
  defineSchedule('fold-sharing-weeks', '41 3 * * *', ({ db }: { db: Db }, signal) => foldSharing(db, signal)),
]
