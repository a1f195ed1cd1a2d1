import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { forgetWords } from './inside/known-words.queries.ts'
import { gatherNoteMarks } from './note-marks.queries.ts'

export const searchJobs = [
  defineSchedule('forget-words', '29 3 * * *', ({ db }: { db: Db }, signal) => forgetWords(db, signal)),
  defineSchedule('gather-note-marks', '41 3 * * *', ({ db }: { db: Db }) => gatherNoteMarks(db)),
]
