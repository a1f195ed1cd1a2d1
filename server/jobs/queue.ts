import { randomUUID } from 'node:crypto'
import { CompiledQuery as Compiled, type CompiledQuery, type QueryResult } from 'kysely'
import { type JobResult, PgBoss } from 'pg-boss'
import type { Log } from '../deps.ts'
import type { JobDefinition, JobHandler } from './job.ts'
import { quietly } from './quietly.ts'
import { runJob } from './run-job.ts'

/** A Kysely pool or transaction; nothing else of it is needed here. */
export type QueryExecutor = { executeQuery<R>(query: CompiledQuery<R>): Promise<QueryResult<R>> }

export type EnqueueOptions = {
  startAfterSeconds?: number
  /** While a job of this name and key waits for its first run, another one is not added. */
  singletonKey?: string
}

export type Jobs = {
  /**
   * Adds a job inside the caller's transaction: it exists exactly if that commits.
   * @throws when the payload does not fit the job's schema, or before `start`.
   */
  enqueue<T>(db: QueryExecutor, job: JobDefinition<T>, payload: T, options?: EnqueueOptions): Promise<void>
  /** Says what a job does; before `start`, once for each job. */
  work<T>(job: JobDefinition<T>, handler: JobHandler<T>): void
  /** Runs a job without payload at the times of a cron expression (UTC, to the minute), once over all servers. */
  schedule(job: JobDefinition<Record<string, never>>, cron: string): void
  /** Installs what is missing in the database and starts the workers. After a failure it may be called again. */
  start(): Promise<void>
  /** Lets what is under way finish, 10 s at most; the rest is taken up again by the next server or start. */
  stop(): Promise<void>
}

export type JobsOptions = {
  databaseUrl: string
  log: Log
  /** How often each worker looks for new jobs; 0.5 is the least. */
  pollingIntervalSeconds?: number
  /** False for a process that only enqueues. */
  runWorkers?: boolean
}

const drainMs = 9_000
const giveUpMs = 10_000
// A server that dies is noticed after heartbeat + supervision, so its jobs are taken over within 35 s.
const heartbeatSeconds = 20
const superviseIntervalSeconds = 10
const day = 24 * 60 * 60

type Registration = { job: JobDefinition<unknown>; handler: JobHandler<unknown> }

/** The queue in PostgreSQL. It knows no slice: slices define their jobs and register what they do. */
export function createJobs({ databaseUrl, log, pollingIntervalSeconds = 0.5, runWorkers = true }: JobsOptions): Jobs {
  const registrations = new Map<string, Registration>()
  const schedules = new Map<string, { job: JobDefinition<Record<string, never>>; cron: string }>()
  const queues = new Map<string, Promise<void>>()
  let boss: PgBoss | null = null

  function createBoss(): PgBoss {
    const workers = [...registrations.values()].reduce((sum, { job }) => sum + job.options.concurrency, 0)
    const created = new PgBoss({
      connectionString: databaseUrl,
      application_name: 'lectern-jobs',
      max: runWorkers ? Math.min(10, 2 + Math.ceil(workers / 2)) : 2,
      connectionTimeoutMillis: 5_000,
      supervise: runWorkers,
      schedule: runWorkers,
      superviseIntervalSeconds,
      monitorIntervalSeconds: superviseIntervalSeconds,
    })
    // Without a listener a lost connection would end the process. The workers go on by themselves.
    created.on(
      'error',
      quietly((error, times) => log.warn({ err: error, times }, 'The job queue met an error')),
    )
    created.on('warning', (warning) => log.warn({ warning }, 'The job queue has a warning'))
    return created
  }

  function running(): PgBoss {
    if (!boss) throw new Error('The job queue is not started')
    return boss
  }

  /** Creates the job's queue or brings its settings up to date, once in the life of a start. */
  function prepareQueue(job: JobDefinition<unknown>): Promise<void> {
    const known = queues.get(job.name)
    if (known) return known
    const prepared = createQueue(running(), job)
    queues.set(job.name, prepared)
    prepared.catch(() => queues.delete(job.name))
    return prepared
  }

  async function startWorkers(current: PgBoss): Promise<void> {
    for (const { job } of registrations.values()) await prepareQueue(job)
    for (const { job } of schedules.values()) await prepareQueue(job)
    if (!runWorkers) return
    for (const { job, cron } of schedules.values()) {
      await current.schedule(job.name, cron, {}, { singletonKey: 'scheduled' })
    }
    // Schedules outlive the release that made them.
    for (const { name } of await current.getSchedules()) if (!schedules.has(name)) await current.unschedule(name)
    for (const { job, handler } of registrations.values()) {
      await current.work(
        job.name,
        {
          localConcurrency: job.options.concurrency,
          pollingIntervalSeconds,
          includeMetadata: true,
          perJobResults: true,
        },
        async ([claimed]): Promise<JobResult[]> => (claimed ? [await runJob(current, job, handler, claimed, log)] : []),
      )
    }
  }

  return {
    async enqueue(db, job, payload, options = {}) {
      const data = job.payload.parse(payload)
      await prepareQueue(job)
      const executeSql = async (text: string, values: unknown[] = []) => {
        const { rows } = await db.executeQuery(Compiled.raw(text, values))
        return { rows }
      }
      await running().send(job.name, data as object, {
        db: { executeSql },
        // Queues have the policy "short": one waiting job for each key.
        singletonKey: options.singletonKey ?? randomUUID(),
        ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds }),
      })
    },

    work(job, handler) {
      if (boss) throw new Error(`The handler of ${job.name} was registered after the start`)
      if (registrations.has(job.name)) throw new Error(`${job.name} has a handler already`)
      registrations.set(job.name, { job, handler } as Registration)
    },

    schedule(job, cron) {
      if (boss) throw new Error(`${job.name} was scheduled after the start`)
      schedules.set(job.name, { job, cron })
    },

    async start() {
      if (boss) throw new Error('The job queue is started already')
      const starting = createBoss()
      boss = starting
      try {
        await starting.start()
        await startWorkers(starting)
      } catch (error) {
        boss = null
        queues.clear()
        await starting.stop({ graceful: false }).catch(() => {})
        throw error
      }
    },

    async stop() {
      const stopping = boss
      if (!stopping) return
      boss = null
      queues.clear()
      const stopped = stopping.stop({ graceful: true, timeout: drainMs, close: true })
      let timer: NodeJS.Timeout | undefined
      const tooLong = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          log.warn('The job queue did not stop in time')
          resolve()
        }, giveUpMs)
      })
      await Promise.race([stopped, tooLong]).finally(() => clearTimeout(timer))
    },
  }
}

async function createQueue(boss: PgBoss, job: JobDefinition<unknown>): Promise<void> {
  const { timeoutSeconds, attempts, retryDelaySeconds, retryDelayMaxSeconds } = job.options
  const settings = {
    // Later than the time-out that `runJob` keeps, which says what happened.
    expireInSeconds: timeoutSeconds + 15,
    heartbeatSeconds,
    retryLimit: attempts - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: retryDelayMaxSeconds,
    retentionSeconds: 30 * day,
    // Done and failed jobs stay visible this long.
    deleteAfterSeconds: 7 * day,
  }
  await boss.createQueue(job.name, { policy: 'short', ...settings })
  await boss.updateQueue(job.name, settings)
}
