import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { JobDefinition, JobHandler } from '../platform/jobs/job.ts'
import { createJobs, type Jobs, type JobsOptions } from '../platform/jobs/queue.ts'
import type { Log } from '../platform/observability/log.ts'

export const newDatabaseName = () => `lectern_jobs_${randomBytes(6).toString('hex')}`

/** The context of a job that a test runs by itself. */
export const jobContext = { jobId: 'of-a-test', attempt: 1, signal: new AbortController().signal }

type JobRow = { state: string; retry_count: number; data: unknown; output: { message?: string } | null }

/** Opens job queues on one database, with access to their tables. */
export function openTestJobs(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5 })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) })
  const queues: Jobs[] = []
  const logged: { level: string; message: string }[] = []
  const note = (level: string) => (about: unknown, message?: unknown) => {
    logged.push({ level, message: typeof about === 'string' ? about : String(message) })
  }
  const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const createQueue = (options: Partial<JobsOptions> = {}): Jobs => {
    const jobs = createJobs({ databaseUrl, log, dueCheckMs: 200, ...options })
    queues.push(jobs)
    return jobs
  }
  return {
    db,
    logged,
    createQueue,
    /** Starts a queue that handles one kind of job. */
    async startQueue<T>(job: JobDefinition<T>, handler: JobHandler<T>, options?: Partial<JobsOptions>): Promise<Jobs> {
      const queue = createQueue(options)
      queue.work(job, handler)
      await queue.start()
      return queue
    },
    async findJobs(name: string): Promise<JobRow[]> {
      const { rows } = await pool.query<JobRow>('SELECT * FROM pgboss.job WHERE name = $1 ORDER BY created_on', [name])
      return rows
    },
    query: (text: string, values: unknown[] = []) => pool.query(text, values),
    async close() {
      await Promise.all(queues.splice(0).map((jobs) => jobs.stop()))
      await db.destroy()
    },
  }
}

export type TestJobs = ReturnType<typeof openTestJobs>
