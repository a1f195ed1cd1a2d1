import { deleteOldRegistrations } from './accounts/accounts.ts'
import type { Deps } from './deps.ts'
import { deleteOldUploads } from './documents/allowance.ts'
import { sweepFiles } from './files/removals.ts'
import { deleteExpiredCounts } from './http/rate-limits.ts'
import { defineJob, emptyPayload } from './jobs/job.ts'
import { deleteExpiredSessions } from './sessions/sessions.ts'

export const sweepFilesJob = defineJob('sweep-files', emptyPayload, { attempts: 1, timeoutSeconds: 240 })
const sweepAccountsJob = defineJob('sweep-accounts', emptyPayload, { attempts: 1, timeoutSeconds: 240 })

/** Removes what is over: files of no note every minute, old sessions and registrations once a night. */
export function registerSweep({ jobs, db, files, log }: Deps): void {
  jobs.work(sweepFilesJob, async (_payload, { signal }) => {
    const removed = await sweepFiles(db, files, signal)
    if (removed > 0) log.info({ removed }, 'Files without a note were removed')
  })
  jobs.schedule(sweepFilesJob, '* * * * *')

  jobs.work(sweepAccountsJob, async () => {
    await deleteExpiredSessions(db)
    await deleteOldRegistrations(db)
    await deleteExpiredCounts(db)
    await deleteOldUploads(db)
  })
  jobs.schedule(sweepAccountsJob, '17 3 * * *')
}
