import { join } from 'node:path'
import { accountJobs } from './accounts/accounts.jobs.ts'
import { deleteOldRegistrations } from './accounts/accounts.ts'
import { alertJobs } from './alerts/alerts.jobs.ts'
import { deleteOldAlerts } from './alerts/alerts.ts'
import { createScanner } from './antivirus/scanner.ts'
import { attentionJobs } from './attention/attention.jobs.ts'
import type { Config } from './config.ts'
import { courseJobs } from './courses/courses.jobs.ts'
import { observeStatements } from './db/observe-statements.ts'
import { type Db, openPool } from './db/pool.ts'
import { createReadWithin, readsOn } from './db/read-within.ts'
import { openReplica } from './db/replica.ts'
import { inTransaction } from './db/transaction.ts'
import type { Deps } from './deps.ts'
import { deleteOldUploads } from './documents/allowance.ts'
import { documentJobs } from './documents/documents.jobs.ts'
import { exportJobs } from './exports/exports.jobs.ts'
import { deleteOldExports } from './exports/exports.ts'
import { createDiskSpace } from './files/disk-space.ts'
import { fileJobs } from './files/files.jobs.ts'
import { observeStorage, openFiles } from './files/open-files.ts'
import { openOwnStorage } from './files/own-storage.ts'
import { openSpool } from './files/spool.ts'
import { createRateLimits, deleteExpiredCounts } from './http/rate-limits.ts'
import { invitationJobs } from './invitations/invitations.jobs.ts'
import { deleteOldInvitations } from './invitations/invitations.ts'
import { defineSchedule, type Work } from './jobs/job.ts'
import { createJobs } from './jobs/queue.ts'
import { leavingJobs } from './leaving/leaving.jobs.ts'
import { deleteOldRefusals, observeMailer } from './mail/deliver.ts'
import { mayShowOutbox } from './mail/outbox.routes.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createSmtpMailer } from './mail/smtp.ts'
import { moderationJobs } from './moderation/moderation.jobs.ts'
import { noteJobs } from './notes/notes.jobs.ts'
import { deleteOldBatches } from './notes/notes.queries.ts'
import type { Log } from './observe/log.ts'
import { createObserver } from './observe/observer.ts'
import { openTracing } from './observe/open-tracing.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.ts'
import { createPasswordHasher, type PasswordCost } from './passwords/hasher.ts'
import { recognitionLimits } from './pdf/limits.ts'
import { createPdfTools } from './pdf/pdf-tools.ts'
import { refoldingJobs } from './refolding/refolding.jobs.ts'
import { deleteOldClaims } from './reports/claims.ts'
import { reportJobs } from './reports/reports.jobs.ts'
import { deleteOldReports } from './reports/reports.ts'
import { searchJobs } from './search/search.jobs.ts'
import { deleteExpiredSessions } from './sessions/sessions.ts'
import { deleteExpiredChanges } from './settings/email-change.ts'
import { settingsJobs } from './settings/settings.jobs.ts'
import { sharingJobs } from './sharing/sharing.jobs.ts'
import { createLifecycle } from './start/lifecycle.ts'
import { suspensionJobs } from './suspensions/suspensions.jobs.ts'
import { deleteExpired as deleteExpiredLoginSteps } from './totp/totp.ts'

type Options = {
  databaseUrl: string
  secret: string
  log: Log
  /** For a connection to the database; see `openPool`. */
  waitMs?: number
  /** Of password hashes; OWASP's unless given. */
  passwordCost?: PasswordCost
  /** Whether this process runs jobs; unless given, that depends on its role. */
  runWorkers?: boolean
}

export type OpenDeps = Deps & { close(): Promise<void> }

/** Opens every part on a migrated database. The job queue is not started yet: `deps.jobs.start()`. */
export async function openDeps(
  config: Config & { publicUrl: string },
  { databaseUrl, secret, log, waitMs, passwordCost, runWorkers = config.role !== 'web' }: Options,
): Promise<OpenDeps> {
  const observer = createObserver(await openTracing(config.otlpEndpoint, log))
  const observe = observeStatements(observer, log, config.slowQueryMs)
  const { databaseReplicaUrl, databasePoolSize: size, databasePrepared: isPrepared } = config
  const { pool, db } = openPool(databaseUrl, size, log, { ...(waitMs && { waitMs }), isPrepared, observe })
  const replica =
    databaseReplicaUrl && config.role !== 'worker'
      ? openReplica({ url: databaseReplicaUrl, size, db, isPrepared, log, metrics: observer.metrics, observe })
      : null
  const onPrimary = readsOn(db, createReadWithin(db, size))
  const { smtpUrl, mailFrom: from, dataDir } = config
  const spoolFolder = join(dataDir, 'spool')
  const maxFileBytes = config.maxFileMb * 2 ** 20
  const mail = smtpUrl
    ? { mailer: observeMailer(createSmtpMailer({ url: smtpUrl, from, log }), observer), outbox: null }
    : withOutbox(observeMailer(createOutbox({ dir: join(dataDir, 'outbox'), from, log }), observer), config.publicUrl)

  const deps: Deps = {
    config,
    db,
    ...(replica?.prefer(onPrimary) ?? onPrimary),
    replica,
    files: openOwnStorage(observeStorage(await openFiles(config), observer), db),
    spool: await openSpool(spoolFolder, log),
    space: createDiskSpace(
      [
        { path: spoolFolder, takesUploads: true, isSpool: true },
        ...(config.s3 ? [] : [{ path: join(dataDir, 'files'), takesUploads: true }]),
        ...(config.databaseUrl ? [] : [{ path: join(dataDir, 'postgres'), takesUploads: false }]),
      ],
      config,
    ),
    scanner: config.clamav && createScanner({ ...config.clamav, log, observer }),
    ...mail,
    jobs: createJobs({ databaseUrl, directUrl: config.databaseDirectUrl ?? databaseUrl, log, observer, runWorkers }),
    rateLimits: createRateLimits(pool, config),
    passwords: await createPasswordHasher({ cost: passwordCost }),
    pdf: createPdfTools({ log, observer, folder: spoolFolder, maxFileBytes }),
    recogniser: createPdfTools({ log, observer, folder: spoolFolder, maxFileBytes, ...recognitionLimits }),
    secret,
    log,
    observer,
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    lifecycle: createLifecycle(),
  }
  for (const { job, run, cron } of jobs) deps.jobs.work(job, (payload, context) => run(deps, payload, context), cron)

  return {
    ...deps,
    async close() {
      await deps.jobs.stop()
      await Promise.all([deps.mailer.close(), deps.pdf.close(), deps.recogniser.close()])
      deps.spool.close()
      await replica?.close()
      await db.destroy()
      await observer.tracing.close()
    },
  }
}

const withOutbox = (outbox: Outbox, publicUrl: string) => ({
  mailer: outbox,
  outbox: mayShowOutbox(publicUrl) ? outbox : null,
})

type Sweep = (db: Db) => Promise<unknown>
const hourlySweeps: Sweep[] = [deleteOldExports, deleteExpiredChallenges, deleteExpiredLoginSteps]
const nightlySweeps: Sweep[] = [
  deleteExpiredSessions,
  deleteOldRegistrations,
  deleteOldRefusals,
  deleteExpiredChanges,
  deleteOldAlerts,
  deleteOldInvitations,
  deleteOldUploads,
  deleteOldBatches,
  deleteOldClaims,
  deleteOldReports,
  deleteExpiredCounts,
]

/** Deletes expired rows. A sweep that fails does not keep the others from running. */
const defineSweeps = (name: string, cron: string, sweeps: Sweep[]) =>
  defineSchedule(name, cron, async ({ db }: Deps) => {
    const errors: unknown[] = []
    for (const sweep of sweeps) await sweep(db).catch((error) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  })

/** All jobs. */
export const jobs: Work<Deps>[] = [
  defineSweeps('sweep-hourly', '7 * * * *', hourlySweeps),
  defineSweeps('sweep-nightly', '17 3 * * *', nightlySweeps),
  ...accountJobs,
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
  ...attentionJobs,
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
