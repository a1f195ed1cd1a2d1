import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import type { Log } from '../observability/log.ts'
import { sweepFiles } from './file-deletions.ts'
import type { FileStorage } from './storage.ts'

type SweepDeps = { db: Db; files: FileStorage; log: Log }

/** A storage may take a second per file. When a server dies, another one takes over before this timeout. */
const timeoutSeconds = 60 * 60

export const sweepFilesWork = defineSchedule(
  'sweep-files',
  '*/5 * * * *',
  async (deps: SweepDeps, signal) => {
    const removed = await sweepFiles(deps.db, deps.files, signal)
    if (removed > 0) deps.log.info({ removed }, 'Deleted files that belong to no note')
  },
  { timeoutSeconds },
)

export const fileJobs = [sweepFilesWork]
