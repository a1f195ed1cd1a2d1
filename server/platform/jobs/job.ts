import { z } from 'zod'

/** What a job is called, what it carries and how patiently it is tried. */
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
  /** Aborted when the time is up, when the server stops without more patience, or when the job was given to another. */
  signal: AbortSignal
}
/** Thrown by a handler whose work will never succeed, however often it is tried. */
export class PermanentJobError extends Error {}

export type JobHandler<T> = (payload: T, context: JobContext) => Promise<void>

export type JobSettings = {
  /** How many run at once in each server. */
  concurrency: number
  /** A run that takes longer counts as failed and its signal is aborted. */
  timeoutSeconds: number
  /** Runs in all, the first included. */
  attempts: number
  /** The wait after the first failure, more or less; it doubles with each further one up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number
  retryDelayMaxSeconds: number
}

// A mail server that is gone for two days loses no mail, and one that is back gets its mail within 5 minutes.
const defaultJobSettings: JobSettings = {
  concurrency: 1,
  timeoutSeconds: 60,
  attempts: 1_000,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 240,
}

/**
 * Declares a job. The slice that owns it exports the definition, enqueues with it and registers its handler with it.
 *
 * A payload is stored as JSON for days and shows up in logs and backups: it holds ids, never a password, a token or a
 * link with one. A handler may run more than once for one job (the process can die between the work and the record of
 * it), so it has to bear that.
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

/** A job with what it does: what a slice exports, and `server/jobs.ts` puts together. */
export type JobRegistration<D> = {
  job: JobDefinition<unknown>
  run(deps: D, payload: unknown, context: JobContext): Promise<void>
  /** When it comes by itself, as a cron expression in UTC. */
  cron?: string
}

/** @param run takes what it needs of the server's dependencies. */
export function defineJobHandler<D, T>(
  job: JobDefinition<T>,
  run: (deps: D, payload: T, context: JobContext) => Promise<void>,
): JobRegistration<D> {
  return { job: job as JobDefinition<unknown>, run: (deps, payload, context) => run(deps, payload as T, context) }
}

/** Work that comes by itself at the times of a cron expression, and carries nothing. */
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
