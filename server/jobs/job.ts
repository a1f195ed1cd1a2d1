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
const patient: JobSettings = {
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
  return { name, payload, options: { ...patient, ...options } }
}

/** The payload of jobs that need none, such as sweeps. */
export const emptyPayload = z.strictObject({})
