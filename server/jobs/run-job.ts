import { setTimeout as pause } from 'node:timers/promises'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Log } from '../log.ts'
import type { Observer } from '../observe/observer.ts'
import { runFor } from '../observe/work.ts'
import { HopelessJob, type JobDefinition, type JobHandler } from './job.ts'

/** Runs one claimed job and says how it ended, also to who looks from outside. Never throws. */
export function runJob(
  boss: PgBoss,
  job: JobDefinition<unknown>,
  handler: JobHandler<unknown>,
  claimed: JobWithMetadata<unknown>,
  { log, observer: { metrics, tracing } }: { log: Log; observer: Observer },
): Promise<JobResult> {
  const begunAt = performance.now()
  const span = tracing.begin('job', job.name)
  return runFor({ kind: 'job', id: claimed.id, span }, async () => {
    const result = await run(boss, job, handler, claimed, log)
    const outcome = outcomes[result.status]
    metrics.jobRuns.observe({ name: job.name, outcome }, (performance.now() - begunAt) / 1000)
    const attributes = { 'messaging.message.id': claimed.id, attempt: claimed.retryCount + 1, outcome }
    span.end({ attributes, hasFailed: outcome !== 'ok' })
    return result
  })
}

const outcomes = { completed: 'ok', failed: 'failed', deadletter: 'hopeless' }
/** What has never been so is counted as zero: who looks from outside sees the first one then. */
export const runOutcomes = Object.values(outcomes)

async function run(
  boss: PgBoss,
  job: JobDefinition<unknown>,
  handler: JobHandler<unknown>,
  claimed: JobWithMetadata<unknown>,
  log: Log,
): Promise<JobResult> {
  const { id, retryCount, retryLimit } = claimed
  const attempt = retryCount + 1
  const about = { job: job.name, jobId: id, attempt }

  const payload = job.payload.safeParse(claimed.data)
  if (!payload.success) {
    log.error({ ...about, issues: payload.error.issues }, 'A job carries something its handler does not know')
    return { id, status: 'deadletter', output: { message: 'The payload does not fit the schema' } }
  }
  try {
    const signal = AbortSignal.any([claimed.signal, AbortSignal.timeout(job.options.timeoutSeconds * 1_000)])
    await unlessAborted(handler(payload.data, { jobId: id, attempt, signal }), signal)
    await recordSuccess(boss, job.name, claimed)
    return { id, status: 'completed' }
  } catch (error) {
    const output = { message: error instanceof Error ? error.message : String(error) }
    if (retryCount >= retryLimit || error instanceof HopelessJob) {
      log.error({ ...about, err: error }, 'A job failed for good')
      return { id, status: 'deadletter', output }
    }
    log.warn({ ...about, err: error }, 'A job failed and will be tried again')
    return { id, status: 'failed', output }
  }
}

/** Ends with the work, or with the signal's reason if that comes first: work that ignores its signal is left behind. */
async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const ended = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended.signal })
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    ended.abort()
  }
}

/**
 * Records that the work is done. pg-boss does so too after the handler, but tries once: if PostgreSQL restarts in that
 * moment the work would be done again, and a student would get the same mail twice.
 */
async function recordSuccess(boss: PgBoss, name: string, claimed: JobWithMetadata<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    if (claimed.signal.aborted) return
    try {
      await boss.complete(name, { id: claimed.id, retryCount: claimed.retryCount })
      return
    } catch {
      await pause(1_000)
    }
  }
}
