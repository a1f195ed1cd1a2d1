import { CompiledQuery, sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import type { Deps } from '../dependencies.ts'
import { jobs } from '../operations/start/open-dependencies.ts'
import { runJob } from '../platform/jobs/queue.ts'

type Target = { deps: Deps }

const drains = new WeakMap<Target['deps'], Promise<void>>()

/**
 * Runs the queued jobs of a test app, and those that they enqueue, in this process and in the order of the workers.
 * Delayed jobs and failed jobs with a later retry stay queued.
 */
export function drainJobs({ deps }: Target): Promise<void> {
  const drained = (drains.get(deps) ?? Promise.resolve()).then(() => runQueued(deps))
  drains.set(
    deps,
    drained.catch(() => {}),
  )
  return drained
}

async function runQueued(deps: Target['deps']): Promise<void> {
  const executeSql = async (text: string, values: unknown[] = []) => {
    const { rows } = await deps.db.executeQuery(CompiledQuery.raw(text, values))
    return { rows }
  }
  const boss = new PgBoss({ db: { executeSql }, migrate: false, supervise: false, schedule: false })
  await boss.start()
  try {
    for (let name = await findInOrder(deps); name !== null; name = await findInOrder(deps))
      await runNext(boss, deps, name)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function findInOrder({ db }: Target['deps']): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM pgboss.job
     WHERE state < 'active' AND start_after <= now() AND name = ANY(${jobs.map(({ job }) => job.name)})
     ORDER BY priority DESC, created_on, id LIMIT 1`.execute(db)
  return rows[0]?.name ?? null
}

async function runNext(boss: PgBoss, deps: Target['deps'], name: string): Promise<void> {
  const work = jobs.find(({ job }) => job.name === name)
  const [claimed] = await boss.fetch(name, { includeMetadata: true })
  if (!work || !claimed) return
  const { signal } = new AbortController()
  const handler = (payload: unknown, context: Parameters<typeof work.run>[2]) => work.run(deps, payload, context)
  const { status, output } = await runJob(boss, work.job, handler, { ...claimed, signal }, deps)
  if (status === 'completed') return
  const isFinal = status === 'deadletter'
  if (isFinal) await sql`UPDATE pgboss.job SET retry_limit = retry_count WHERE id = ${claimed.id}`.execute(deps.db)
  await boss.fail(name, { id: claimed.id, retryCount: claimed.retryCount }, output as object)
}
