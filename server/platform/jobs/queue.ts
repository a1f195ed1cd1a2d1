import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type QueryResult } from 'kysely'
import { type JobResult, type JobWithMetadata, PgBoss, type QueueResult } from 'pg-boss'
import { isDatabaseUnavailable } from '../db/database-unavailable.ts'
import { isOlder, version as ownVersion } from '../db/version.ts'
import { nilId } from '../db/viewer.ts'
import { waitUpTo } from '../db/waiting.ts'
import { describeError, type Log, throttleErrors } from '../observability/log.ts'
import { createTelemetry, runInContext, type Telemetry } from '../observability/telemetry.ts'
import { type JobsDatabase, openJobsDatabase } from './database.ts'
import { type JobDefinition, type JobHandler, PermanentJobError } from './job.ts'

/** A Kysely pool or transaction; the queue needs nothing else of it. */
type QueryExecutor = { executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> }

type EnqueueOptions = {
  /** While a job of this name and key waits for its first run, no other one is added. */
  singletonKey?: string
  /** Waiting jobs with a higher priority run first; the default is 0. */
  priority?: number
  /** The earliest time of the first run, or the seconds until then. */
  startAfter?: Date | number
  /** The id of a job that was in a queue before; the default is a new one. */
  id?: string
}

export type Jobs = {
  /**
   * Adds a job inside the caller's transaction: the job exists exactly if that commits.
   * @throws when the payload does not fit the job's schema, or before `start`.
   */
  enqueue<T>(db: QueryExecutor, job: JobDefinition<T>, payload: T, options?: EnqueueOptions): Promise<void>
  /**
   * Registers the handler of a job, before `start`. With a cron expression (UTC), the queue adds the job without
   * payload at these times, once over all servers and up to 75 s late.
   */
  work<T>(job: JobDefinition<T>, handler: JobHandler<T>, cron?: string): void
  /** Installs what is missing in the database and starts the workers. It may be called again after a failure. */
  start(): Promise<void>
  /** Counts the queue's own connections to PostgreSQL; null before `start`. */
  countConnections(): ReturnType<JobsDatabase['count']> | null
  /** Takes no more jobs, and waits for those in progress. Jobs can still be added. */
  drain(): Promise<void>
  /** Drains for at most `drainTimeoutMs`; another server or the next start takes over jobs that are still in progress. */
  stop(drainTimeoutMs?: number): Promise<void>
}

export type JobsOptions = {
  databaseUrl: string
  /** A connection without a pooler, for LISTEN; the default is `databaseUrl`. */
  directUrl?: string
  log: Log
  telemetry?: Telemetry
  /** How often the queue looks for retries and delayed jobs that have become due. */
  dueCheckMs?: number
  /** False for a process that only enqueues. */
  runWorkers?: boolean
  /**
   * How long a server may be silent before its jobs are given to others; at least 10. It takes at most twice as long.
   */
  heartbeatTimeoutSeconds?: number
  /** The version of Lectern. */
  version?: string
}

const drainMs = 9_000
/** The time for returning unfinished jobs to a PostgreSQL that may be unavailable. */
const closeMs = 1_000
/** How often each worker polls where PostgreSQL cannot notify it. */
const pollingIntervalSeconds = 2
/** Notified workers need no polling: `wakeDueWorkers` also finds a job whose notification got lost. */
const notifyPollingIntervalSeconds = 3_600
const daySeconds = 24 * 60 * 60

type AnyJob = JobDefinition<unknown>
type Running = {
  boss: PgBoss
  database: JobsDatabase
  queues: Set<string>
  /** The worker ids of each queue. */
  workers: Map<string, string[]>
  /** The jobs whose success is recorded, while pg-boss does not know it. */
  recorded: Set<string>
  dueCheck?: NodeJS.Timeout
}

/** The queue, in PostgreSQL by pg-boss. It knows no feature: features define their jobs and register handlers. */
export function createJobs(options: JobsOptions): Jobs {
  const { databaseUrl, log, runWorkers = true, heartbeatTimeoutSeconds = 60 } = options
  const { telemetry = createTelemetry(), version = ownVersion, directUrl = databaseUrl, dueCheckMs = 10_000 } = options
  const handlers = new Map<string, { job: AnyJob; handler: JobHandler<unknown>; cron: string | undefined }>()
  let running: Running | null = null

  function open(): Running {
    const workers = [...handlers.values()].reduce((sum, { job }) => sum + job.options.concurrency, 0)
    const size = runWorkers ? Math.min(10, 2 + Math.ceil(workers / 2)) : 2
    const database = openJobsDatabase(databaseUrl, directUrl, size, log)
    const recorded = new Set<string>()
    const boss = new PgBoss({
      // pg-boss would record each success again, with a statement that may read all jobs of the queue.
      db: {
        ...database,
        executeSql: async (text, values) =>
          recorded.delete(readJobId(values)) ? { rows: [{ count: '0', ids: [] }] } : database.executeSql(text, values),
      },
      supervise: runWorkers,
      useListenNotify: runWorkers,
      // Lectern uses neither flows nor asynchronous migrations of pg-boss.
      flowIntervalSeconds: daySeconds,
      cronWorkerIntervalSeconds: 45,
      schedule: runWorkers,
      superviseIntervalSeconds: heartbeatTimeoutSeconds,
      monitorIntervalSeconds: heartbeatTimeoutSeconds,
    })
    // Without a listener an error would end the process. The workers recover by themselves.
    boss.on(
      'error',
      throttleErrors((error, times) => {
        if (isDatabaseUnavailable(error))
          log.warn({ times }, `The job queue is waiting for the database: ${describeError(error)}`)
        else log.warn({ err: error, times }, 'The job queue reported an error')
      }),
    )
    boss.on('warning', (warning) => log.warn({ warning }, 'The job queue reported a warning'))
    return { boss, database, queues: new Set(), workers: new Map(), recorded }
  }

  function getRunning(): Running {
    if (!running) throw new Error('The job queue is not started')
    return running
  }

  async function prepareQueue({ boss, queues }: Running, job: AnyJob, existing?: QueueResult): Promise<void> {
    if (queues.has(job.name)) return
    await createQueue(boss, job, heartbeatTimeoutSeconds, existing)
    queues.add(job.name)
  }

  async function startWorkers(current: Running): Promise<void> {
    const { boss } = current
    // This runs without workers, too: a transaction that enqueues the first job would otherwise wait for a second
    // connection. One query reads all queues, so that a start writes only those whose settings have changed.
    const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const { job } of handlers.values()) await prepareQueue(current, job, existing.get(job.name))
    if (!runWorkers) return
    for (const { job, cron } of handlers.values()) {
      // A server that is off every night still runs its nightly jobs, once, when it starts.
      const scheduling = { singletonKey: 'scheduled', missed: 'once' as const, madeBy: version }
      if (cron) await boss.schedule(job.name, cron, {}, scheduling)
    }
    // Schedules of older releases are deleted. Those of a newer release stay, because its servers may run beside this
    // one.
    for (const { name, options } of await boss.getSchedules()) {
      const { madeBy = version } = (options ?? {}) as { madeBy?: string }
      if (!handlers.get(name)?.cron && !isOlder(version, madeBy)) await boss.unschedule(name)
    }
    for (const { job, handler } of handlers.values()) {
      const ids: string[] = []
      for (let n = 0; n < job.options.concurrency; n++) ids.push(await startWorker(current, job, handler))
      current.workers.set(job.name, ids)
    }
    // The queue may have been stopped meanwhile.
    if (running === current) current.dueCheck = setInterval(() => void wakeDueWorkers(current), dueCheckMs).unref()
  }

  /** Retries and delayed jobs become due without a notification. One statement finds them for all queues. */
  async function wakeDueWorkers({ boss, database, workers }: Running): Promise<void> {
    const due = `SELECT DISTINCT name FROM pgboss.job WHERE state < 'active' AND start_after <= now()`
    const { rows } = await database.executeSql(due).catch(() => ({ rows: [] }))
    for (const { name } of rows as { name: string }[]) for (const id of workers.get(name) ?? []) boss.notifyWorker(id)
  }

  /** One worker runs one job at a time, so that a slow job never holds back those that were fetched with it. */
  async function startWorker({ boss, recorded }: Running, job: AnyJob, handler: JobHandler<unknown>): Promise<string> {
    const settings = {
      pollingIntervalSeconds,
      notifyPollingIntervalSeconds,
      includeMetadata: true as const,
      perJobResults: true as const,
    }
    const workerId = await boss.work(job.name, settings, async ([claimed]): Promise<JobResult[]> => {
      if (!claimed) return []
      const result = await runJob(boss, job, handler, claimed, { log, telemetry, recorded })
      // There may be more jobs.
      boss.notifyWorker(workerId)
      return [result]
    })
    return workerId
  }

  async function drain(): Promise<void> {
    const { boss } = running ?? {}
    if (boss && runWorkers) await Promise.all([...handlers.keys()].map((name) => boss.offWork(name)))
  }

  return {
    async enqueue(db, job, payload, options = {}) {
      const { singletonKey = randomUUID(), priority = 0, startAfter = 0, id } = options
      const current = getRunning()
      const data = job.payload.parse(payload) as object
      await prepareQueue(current, job)
      const executeSql = async (text: string, values: unknown[] = []) => {
        const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
        return { rows }
      }
      // Queues keep one waiting job per key, so jobs without a key get a random one.
      await current.boss.send(job.name, data, {
        db: { executeSql },
        singletonKey,
        priority,
        startAfter,
        ...(id && { id }),
      })
    },

    work(job, handler, cron) {
      handlers.set(job.name, { job, handler: handler as JobHandler<unknown>, cron })
      // Prometheus detects the first increase only after a zero.
      telemetry.metrics.deadLetterJobs.inc({ name: job.name }, 0)
    },

    async start() {
      if (running) throw new Error('The job queue is started already')
      const starting = open()
      running = starting
      try {
        await starting.boss.start()
        await startWorkers(starting)
      } catch (error) {
        running = null
        await starting.boss.stop({ graceful: false }).catch(() => {})
        await starting.database.close()
        throw error
      }
    },

    countConnections: () => running?.database.count() ?? null,

    drain,

    async stop(drainTimeoutMs = drainMs) {
      if (!running) return
      const { boss, database, dueCheck } = running
      clearInterval(dueCheck)
      await waitUpTo(drainTimeoutMs, drain())
      running = null
      const stopped = boss
        .stop({ graceful: false })
        .catch((error) => log.warn(`The job queue did not stop cleanly: ${describeError(error)}`))
        .then(() => database.close())
      await waitUpTo(closeMs, stopped)
    },
  }
}

/**
 * Creates a queue, or updates its settings.
 * @param existing its present settings, if known. If they are the same, nothing is written.
 */
async function createQueue(boss: PgBoss, job: AnyJob, heartbeatSeconds: number, existing?: QueueResult): Promise<void> {
  const { timeoutSeconds, attempts, retryDelaySeconds, retryDelayMaxSeconds } = job.options
  const settings = {
    expireInSeconds: timeoutSeconds,
    heartbeatSeconds,
    notify: true,
    retryLimit: attempts - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    retentionSeconds: 30 * daySeconds,
    // Completed and permanently failed jobs stay visible this long.
    deleteAfterSeconds: 7 * daySeconds,
  }
  const isSame =
    existing && Object.entries(settings).every(([name, value]) => existing[name as keyof typeof settings] === value)
  if (isSame) return
  await boss.createQueue(job.name, { policy: 'short', ...settings })
  await boss.updateQueue(job.name, settings)
  // pg-boss reads a queue when it first uses it, on its own connection. A transaction that enqueues must not wait for
  // that.
  await boss.getJobById(job.name, nilId)
}

/**
 * Runs one claimed job, and counts, traces and logs its result. Never rejects. pg-boss aborts its signal at the
 * timeout.
 */
export function runJob(
  boss: PgBoss,
  job: JobDefinition<unknown>,
  handler: JobHandler<unknown>,
  claimed: JobWithMetadata<unknown>,
  {
    log,
    telemetry: { metrics, tracing },
    recorded = new Set(),
  }: { log: Log; telemetry: Telemetry; recorded?: Set<string> },
): Promise<JobResult> {
  const span = tracing.begin('job', job.name)
  return runInContext({ kind: 'job', id: claimed.id, span }, async () => {
    const result = await run(boss, job, handler, claimed, log, recorded)
    const outcome = outcomes[result.status]
    metrics.jobRuns.inc({ outcome })
    if (outcome === 'dead_letter') metrics.deadLetterJobs.inc({ name: job.name })
    const attributes = { 'messaging.message.id': claimed.id, attempt: claimed.retryCount + 1, outcome }
    span.end({ attributes, hasFailed: outcome !== 'ok' })
    return result
  })
}

const outcomes = { completed: 'ok', failed: 'failed', deadletter: 'dead_letter' }

/** The output that pg-boss writes to a job whose server ended. */
type Lost = { value?: { message?: string } }
const lostOnce = 'lost once'

async function run(
  boss: PgBoss,
  job: JobDefinition<unknown>,
  handler: JobHandler<unknown>,
  claimed: JobWithMetadata<unknown>,
  log: Log,
  recorded: Set<string>,
): Promise<JobResult> {
  const { id, retryCount, retryLimit } = claimed
  const attempt = retryCount + 1
  const about = { job: job.name, jobId: id, attempt }

  const payload = job.payload.safeParse(claimed.data)
  if (!payload.success) {
    log.error({ ...about, issues: payload.error.issues }, 'The payload of a job doesn’t match its schema')
    return { id, status: 'deadletter', output: { message: 'The payload does not fit the schema' } }
  }
  if ((claimed.output as Lost | null)?.value?.message === 'job heartbeat timeout') {
    if (claimed.groupTier === lostOnce) {
      log.error(about, 'A job crashed its server twice and was moved to the dead letter queue')
      return { id, status: 'deadletter', output: { message: 'It ended its server twice' } }
    }
    // pg-boss stores this with the job, and Lectern has no groups.
    const text = 'UPDATE pgboss.job SET group_tier = $2 WHERE id = $1'
    await boss
      .getDb()
      .executeSql(text, [id, lostOnce])
      .catch(() => {})
  }
  const { signal } = claimed
  const warn = () => log.warn({ ...about, err: signal.reason }, 'A job was interrupted and will be retried')
  signal.addEventListener('abort', warn)
  try {
    await handler(payload.data, { jobId: id, attempt, signal })
    if (await recordSuccess(boss, job.name, claimed)) recorded.add(id)
    return { id, status: 'completed' }
  } catch (error) {
    const output = { message: error instanceof Error ? error.message : String(error) }
    if (retryCount >= retryLimit || error instanceof PermanentJobError) {
      log.error({ ...about, err: error }, 'A job failed permanently')
      return { id, status: 'deadletter', output }
    }
    log.warn({ ...about, err: error }, 'A job failed and will be retried')
    return { id, status: 'failed', output }
  } finally {
    signal.removeEventListener('abort', warn)
  }
}

/**
 * Records that the work is done. pg-boss does so too after the handler, but tries once: if PostgreSQL restarts at that
 * moment, the work would be repeated, and a student would get the same mail twice.
 */
async function recordSuccess(boss: PgBoss, name: string, claimed: JobWithMetadata<unknown>): Promise<boolean> {
  for (let attempt = 0; attempt < 60 && !claimed.signal.aborted; attempt++) {
    try {
      await boss.complete(name, { id: claimed.id, retryCount: claimed.retryCount })
      return true
    } catch {
      await pause(1_000)
    }
  }
  return false
}

/** Returns the job of the statement that records the outcome of one job; else an empty text. */
const readJobId = (values: unknown[] = []): string =>
  (typeof values[1] === 'string' && /^\[\{"id":"([\da-f-]{36})"[^{}]*\}\]$/.exec(values[1])?.[1]) || ''
