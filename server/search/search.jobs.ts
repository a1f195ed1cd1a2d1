import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { forgetWords } from './inside/known-words.queries.ts'

export const searchJobs = [
  defineSchedule('forget-words', '29 3 * * *', ({ db }: { db: Db }, signal) => forgetWords(db, signal)),
]
