import { z } from 'zod'

/** The name, payload schema and retry settings of a job. */
export type JobDefinition<T> = {
  name: string
  payload: z.ZodType<T>
  options: JobSettings
}

export type JobContext = {
  /** The same in every attempt. */
  jobId: string
  /** 1 in the first run. */
  attempt: number
  /** Aborted at the timeout, when a stopping server waits no longer, or when another server got the job. */
  signal: AbortSignal
}
/** Thrown by a handler whose work can never succeed, however often it is tried. */
export class PermanentJobError extends Error {}

export type JobHandler<T> = (payload: T, context: JobContext) => Promise<void>

export type JobSettings = {
  /** How many run at the same time in each server. */
  concurrency: number
  /** A run that takes longer counts as failed and its signal is aborted. */
  timeoutSeconds: number
  /** The maximum number of runs, including the first. */
  attempts: number
  /** The approximate wait after the first failure; it doubles with each further one up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number
  retryDelayMaxSeconds: number
}

// A mail server that is down for two days loses no mail, and gets its mail within 5 minutes of its return.
const defaultJobSettings: JobSettings = {
  concurrency: 1,
  timeoutSeconds: 60,
  attempts: 1_000,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 240,
}

/**
 * Declares a job. The feature that owns it exports the definition, enqueues with it and registers its handler with it.
 * A payload is stored as JSON for days and appears in logs and backups: it holds ids, never a password, a token or a
 * link with one. A handler may run more than once for one job (the process can die between the work and the record of
 * it), so it must tolerate that.
 * @param name lower case with hyphens, unique, and stable across releases: waiting jobs are found by it.
 */
export function defineJob<T>(
  name: string,
  payload: z.ZodType<T>,
  options: Partial<JobSettings> = {},
): JobDefinition<T> {
  if (!/^[a-z][a-z0-9-]{2,48}$/.test(name)) throw new Error(`"${name}" cannot be the name of a job`)
  return { name, payload, options: { ...defaultJobSettings, ...options } }
}

/** A job with its handler: features export it, and `server/operations/start/open-dependencies.ts` collects them. */
export type JobRegistration<D> = {
  job: JobDefinition<unknown>
  run(deps: D, payload: unknown, context: JobContext): Promise<void>
  /** The schedule of the job, as a cron expression in UTC. */
  cron?: string
}

/** @param run takes what it needs of the server's dependencies. */
export function defineJobHandler<D, T>(
  job: JobDefinition<T>,
  run: (deps: D, payload: T, context: JobContext) => Promise<void>,
): JobRegistration<D> {
  return { job: job as JobDefinition<unknown>, run: (deps, payload, context) => run(deps, payload as T, context) }
}

/** Defines a job that runs at the times of a cron expression in UTC, without a payload. */
export function defineSchedule<D>(
  name: string,
  cron: string,
  run: (deps: D, signal: AbortSignal) => Promise<void>,
  options: Partial<JobSettings> = {},
): JobRegistration<D> {
  const job = defineJob(name, emptyPayload, { attempts: 1, timeoutSeconds: 240, ...options })
  return { ...defineJobHandler(job, (deps: D, _payload, { signal }) => run(deps, signal)), cron }
}

/** The payload of jobs that need none, such as sweeps. */
export const emptyPayload = z.strictObject({})
