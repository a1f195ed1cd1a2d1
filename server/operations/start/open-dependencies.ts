import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import type { Deps } from '../../dependencies.ts'
import { accountJobs } from '../../features/accounts/accounts.jobs.ts'
import { deleteOldRegistrations } from '../../features/accounts/accounts.queries.ts'
import { deleteOldExports } from '../../features/accounts/exports/exports.ts'
import { deleteOldAlerts } from '../../features/accounts/security-alerts/send-alert.ts'
import { deleteExpiredChanges } from '../../features/accounts/settings/email-changes.queries.ts'
import { administrationJobs } from '../../features/administration/administration.jobs.ts'
import { deleteOldInvitations } from '../../features/administration/invitations/invitations.ts'
import { deleteExpiredChallenges } from '../../features/auth/passkeys/passkeys.ts'
import { createPasswordHasher, type PasswordCost } from '../../features/auth/passwords/hasher.ts'
import { deleteExpiredSessions } from '../../features/auth/sessions/sessions.ts'
import { deleteExpiredLoginSteps } from '../../features/auth/two-factor/two-factor.queries.ts'
import { courseJobs } from '../../features/courses/courses.jobs.ts'
import { moderationJobs } from '../../features/moderation/moderation.jobs.ts'
import { deleteOldClaims } from '../../features/moderation/reports/copyright-claims.ts'
import { deleteOldReports } from '../../features/moderation/reports/reports.ts'
import { noteJobs } from '../../features/notes/notes.jobs.ts'
import { searchJobs } from '../../features/search/search.jobs.ts'
import { createScanner } from '../../features/uploads/antivirus/scanner.ts'
import { documentJobs } from '../../features/uploads/documents/documents.jobs.ts'
import { deleteOldUploads } from '../../features/uploads/documents/upload-quota.ts'
import { deleteOldBatches } from '../../features/uploads/upload.ts'
import { type Db, observeStatements, openPool } from '../../platform/db/pool.ts'
import { createQueryRunner, createQueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import { openReplica } from '../../platform/db/replica.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createLifecycle } from '../../platform/http/health.ts'
import { createRateLimits, deleteExpiredCounts } from '../../platform/http/rate-limits.ts'
import { defineSchedule, type JobRegistration } from '../../platform/jobs/job.ts'
import { createJobs } from '../../platform/jobs/queue.ts'
import { deleteOldRefusals, observeMailer } from '../../platform/mail/deliver.ts'
import { createSmtpMailer, type Mailer } from '../../platform/mail/mailer.ts'
import { createOutbox, mayShowOutbox, type Outbox } from '../../platform/mail/outbox.ts'
import { withMailFooter } from '../../platform/mail/render-mail.ts'
import { hasCode, type Log } from '../../platform/observability/log.ts'
import { createTelemetry, noTracing, type Tracing } from '../../platform/observability/telemetry.ts'
import { ocrLimits } from '../../platform/pdf/limits.ts'
import { createPdfTools } from '../../platform/pdf/pdf-tools.ts'
import { fileJobs } from '../../platform/storage/file-deletions.ts'
import { observeStorage, openStorage, withStorageIdentity } from '../../platform/storage/open-storage.ts'
import { createDiskSpace, openSpool } from '../../platform/storage/spool.ts'

type Options = {
  databaseUrl: string
  secret: string
  log: Log
  /** How long a query waits for a connection to the database; see `openPool`. */
  waitMs?: number
  /** Cost of password hashes; OWASP's by default. */
  passwordCost?: PasswordCost
  /** Whether this process runs jobs; by default its role decides. */
  runWorkers?: boolean
}

export type OpenDeps = Deps & { close(): Promise<void> }

/** Opens every dependency on a migrated database. The caller starts the job queue with `deps.jobs.start()`. */
export async function openDeps(
  config: Config & { publicUrl: string },
  { databaseUrl, secret, log, waitMs, passwordCost, runWorkers = config.role !== 'web' }: Options,
): Promise<OpenDeps> {
  const telemetry = createTelemetry(await openTracing(config.otlpEndpoint, log))
  const observe = observeStatements(telemetry, log, config.slowQueryMs)
  const { databaseReplicaUrl, databasePoolSize: size, databasePrepared: isPrepared } = config
  const { pool, db } = openPool(databaseUrl, size, log, { ...(waitMs && { waitMs }), isPrepared, observe })
  const replica =
    databaseReplicaUrl && config.role !== 'worker'
      ? openReplica({ url: databaseReplicaUrl, size, db, isPrepared, log, metrics: telemetry.metrics, observe })
      : null
  const onPrimary = createQueryRunner(db, createQueryWithTimeout(db, size))
  const { smtpUrl, mailFrom: from, dataDir } = config
  const spoolFolder = join(dataDir, 'spool')
  const maxFileBytes = config.maxFileMb * 2 ** 20
  const send = <M extends Mailer>(mailer: M) => observeMailer(withMailFooter(mailer, config), telemetry)
  const mail = smtpUrl
    ? { mailer: send(createSmtpMailer({ url: smtpUrl, from, log })), outbox: null }
    : withOutbox(send(createOutbox({ dir: join(dataDir, 'outbox'), from, log })), config.publicUrl)

  const deps: Deps = {
    config,
    db,
    ...(replica?.preferReplica(onPrimary) ?? onPrimary),
    replica,
    files: withStorageIdentity(observeStorage(await openStorage(config), telemetry), db),
    spool: await openSpool(spoolFolder, log),
    space: createDiskSpace(
      [
        { path: spoolFolder, takesUploads: true, isSpool: true },
        ...(config.s3 ? [] : [{ path: join(dataDir, 'files'), takesUploads: true }]),
        ...(config.databaseUrl ? [] : [{ path: join(dataDir, 'postgres'), takesUploads: false }]),
      ],
      config,
    ),
    scanner: config.clamav && createScanner({ ...config.clamav, log, telemetry }),
    ...mail,
    jobs: createJobs({ databaseUrl, directUrl: config.databaseDirectUrl ?? databaseUrl, log, telemetry, runWorkers }),
    rateLimits: createRateLimits(pool, config),
    passwords: await createPasswordHasher({ cost: passwordCost }),
    pdf: createPdfTools({ log, telemetry, folder: spoolFolder, maxFileBytes }),
    ocr: createPdfTools({ log, telemetry, folder: spoolFolder, maxFileBytes, ...ocrLimits }),
    secret,
    log,
    telemetry,
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    lifecycle: createLifecycle(),
  }
  for (const { job, run, cron } of jobs) deps.jobs.work(job, (payload, context) => run(deps, payload, context), cron)

  return {
    ...deps,
    async close() {
      await deps.jobs.stop()
      await Promise.all([deps.mailer.close(), deps.pdf.close(), deps.ocr.close()])
      deps.spool.close()
      await replica?.close()
      await db.destroy()
      await telemetry.tracing.close()
    },
  }
}

/**
 * Loads OpenTelemetry only where traces are sent. It is not part of an installation.
 * @throws ConfigError when it is missing.
 */
async function openTracing(endpoint: string | null, log: Log): Promise<Tracing> {
  if (!endpoint) return noTracing
  const { openOpenTelemetry } = await import('../../platform/observability/open-telemetry.ts').catch((error: Error) => {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND') || !error.message.includes('@opentelemetry/')) throw error
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    const packages = Object.entries<string>(manifest.peerDependencies).map(([name, range]) => `"${name}@${range}"`)
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed. Install it beside Lectern, ' +
        `with --global if Lectern is installed globally: npm install ${packages.join(' ')}`,
    )
  })
  return openOpenTelemetry(endpoint, log)
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

/** Deletes expired rows. A sweep that fails does not stop the others. */
const defineSweeps = (name: string, cron: string, sweeps: Sweep[]) =>
  defineSchedule(name, cron, async ({ db }: Deps) => {
    const errors: unknown[] = []
    for (const sweep of sweeps) await sweep(db).catch((error) => errors.push(error))
    if (errors.length > 0) throw errors[0]
  })

export const jobs: JobRegistration<Deps>[] = [
  defineSweeps('sweep-hourly', '7 * * * *', hourlySweeps),
  defineSweeps('sweep-nightly', '17 3 * * *', nightlySweeps),
  ...accountJobs,
  ...fileJobs,
  ...documentJobs,
  ...noteJobs,
  ...moderationJobs,
  ...administrationJobs,
  ...courseJobs,
  ...searchJobs,
]

/** Moves the jobs of a restored backup into the queue after a start, each once. Jobs with unknown names stay. */
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
