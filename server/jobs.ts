import { accountJobs } from './accounts/accounts.jobs.ts'
import { alertJobs } from './alerts/alerts.jobs.ts'
import { courseJobs } from './courses/courses.jobs.ts'
import { inTransaction } from './db/transaction.ts'
import type { Deps } from './deps.ts'
import { documentJobs } from './documents/documents.jobs.ts'
import { exportJobs } from './exports/exports.jobs.ts'
import { fileJobs } from './files/files.jobs.ts'
import { rateLimitJobs } from './http/rate-limits.jobs.ts'
import { invitationJobs } from './invitations/invitations.jobs.ts'
import type { Work } from './jobs/job.ts'
import { leavingJobs } from './leaving/leaving.jobs.ts'
import { moderationJobs } from './moderation/moderation.jobs.ts'
import { noteJobs } from './notes/notes.jobs.ts'
import { passkeyJobs } from './passkeys/passkeys.jobs.ts'
import { refoldingJobs } from './refolding/refolding.jobs.ts'
import { reportJobs } from './reports/reports.jobs.ts'
import { searchJobs } from './search/search.jobs.ts'
import { sessionJobs } from './sessions/sessions.jobs.ts'
import { settingsJobs } from './settings/settings.jobs.ts'
import { sharingJobs } from './sharing/sharing.jobs.ts'
import { suspensionJobs } from './suspensions/suspensions.jobs.ts'
import { totpJobs } from './totp/totp.jobs.ts'

/** Every job there is. */
export const jobs: Work<Deps>[] = [
  ...accountJobs,
  ...sessionJobs,
  ...passkeyJobs,
  ...totpJobs,
  ...alertJobs,
  ...settingsJobs,
  ...leavingJobs,
  ...exportJobs,
  ...fileJobs,
  ...documentJobs,
  ...noteJobs,
  ...moderationJobs,
  ...reportJobs,
  ...suspensionJobs,
  ...invitationJobs,
  ...rateLimitJobs,
  ...courseJobs,
  ...sharingJobs,
  ...refoldingJobs,
  ...searchJobs,
]

/** Moves the jobs of a restored backup into the queue, each once, after its start. Jobs of unknown names stay. */
export async function enqueueRestored({ db, jobs: queue }: Deps): Promise<void> {
  await inTransaction(db, async (tx) => {
    const known = new Map(jobs.map(({ job }) => [job.name, job]))
    const restored = await tx
      .deleteFrom('restored_jobs')
      .where('name', 'in', [...known.keys()])
      .returningAll()
      .execute()
    for (const { id, name, data, priority, singleton_key, start_after } of restored) {
      const options = { id, priority, startAfter: start_after, ...(singleton_key && { singletonKey: singleton_key }) }
      const job = known.get(name)
      if (job) await queue.enqueue(tx, job, data, options)
    }
  })
}

/** Tells the queue what each job does; before its start. */
export function registerJobs(deps: Deps): void {
  for (const { job, run, cron } of jobs) {
    deps.jobs.work(job, (payload, context) => run(deps, payload, context), cron)
  }
}
