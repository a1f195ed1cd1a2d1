import type { Db } from '../../platform/db/pool.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/observability/log.ts'
import { correctCounts, indexNotes } from './index-notes.ts'
import { reindexAll } from './reindex.ts'

export const searchJobs = [
  defineSchedule('index-notes', '* * * * *', ({ db }: { db: Db }, signal) => indexNotes(db, signal)),
  defineSchedule('count-words', '29 * * * *', ({ db }: { db: Db }) => correctCounts(db)),
  defineSchedule('reindex-search-columns', '*/5 * * * *', async (deps: { db: Db; log: Log }, signal) => {
    await reindexAll(deps, signal)
  }),
]
