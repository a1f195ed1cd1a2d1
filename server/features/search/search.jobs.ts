import type { Db } from '../../platform/db/pool.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { correctCounts, indexNotes } from './index-notes.ts'

export const searchJobs = [
  defineSchedule('index-notes', '* * * * *', ({ db }: { db: Db }, signal) => indexNotes(db, signal)),
  defineSchedule('count-words', '29 * * * *', ({ db }: { db: Db }) => correctCounts(db)),
]
