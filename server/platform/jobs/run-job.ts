import { setTimeout as pause } from 'node:timers/promises'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import { runInContext } from '../observability/tracing.ts'
import { type JobDefinition, type JobHandler, PermanentJobError } from './job.ts'

/**
 * Runs one claimed job, and counts, traces and logs its result. Never rejects. pg-boss aborts its signal at the
 * timeout.
 */
export function runJob(
  boss: PgBoss,
  job: JobDefinition<unknown>,
  handler: JobHandler<unknown>,
  claimed: JobWithMetadata<unknown>,
  { log, telemetry: { metrics, tracing } }: { log: Log; telemetry: Telemetry },
): Promise<JobResult> {
  const span = tracing.begin('job', job.name)
  return runInContext({ kind: 'job', id: claimed.id, span }, async () => {
    const result = await run(boss, job, handler, claimed, log)
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
    await recordSuccess(boss, job.name, claimed)
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
