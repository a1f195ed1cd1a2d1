import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { answers, checkParts } from '../../platform/http/check-parts.ts'

const keptForMs = 5 * 60_000

/**
 * Brings the gauges up to date, which nobody counts as it happens. Never rejects: what does not answer has no value, and
 * says so as `ready`.
 */
export function createGaugeCollector(deps: Deps): () => Promise<void> {
  const { config, db, jobs, lifecycle, replica } = deps
  const { metrics } = deps.observer
  let kept: { counts: Awaited<ReturnType<typeof countStoredDocuments>>; countedAt: number } | null = null

  function lookAtConnections(): void {
    const jobConnections = jobs.countConnections()
    const pools = {
      requests: { ...deps.countConnections(), max: config.databasePoolSize },
      ...(replica && { replica: { ...replica.countConnections(), max: config.databasePoolSize } }),
      ...(jobConnections && { jobs: jobConnections }),
    }
    for (const [pool, { open, idle, awaited, max }] of Object.entries(pools)) {
      metrics.connections.set({ pool, state: 'idle' }, idle)
      metrics.connections.set({ pool, state: 'busy' }, open - idle)
      metrics.connectionsAwaited.set({ pool }, awaited)
      metrics.connectionsMax.set({ pool }, max)
    }
  }

  /** One that does not answer, or is none of this database, is no number of bytes behind. */
  async function lookAtReplica(of: NonNullable<typeof replica>): Promise<void> {
    metrics.replicaBytesBehind.set(Number.NaN)
    metrics.replicaBytesBehind.set((await of.countBytesBehind()) ?? Number.NaN)
  }

  /** Where files are in a bucket, only `data` is on a disk. A folder may be a mount of its own. */
  async function lookAtDisks(): Promise<void> {
    const folders = { data: config.dataDir, ...(!config.s3 && { files: join(config.dataDir, 'files') }) }
    for (const [folder, path] of Object.entries(folders)) {
      const { bavail, blocks, bsize } = await statfs(path)
      metrics.diskFree.set({ folder }, bavail * bsize)
      metrics.diskSize.set({ folder }, blocks * bsize)
    }
  }

  async function lookAtJobs(): Promise<void> {
    const { rows } = await sql<{ name: string; waiting: number; waitingSeconds: number; retrying: number }>`
      SELECT name,
             count(*) FILTER (WHERE start_after <= now()) AS waiting,
             coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE start_after <= now())), 0)::float8
               AS "waitingSeconds",
             count(*) FILTER (WHERE state = 'retry') AS retrying
        FROM pgboss.job WHERE state < 'active' GROUP BY name`.execute(db)
    for (const gauge of [metrics.jobsWaiting, metrics.jobsWaitingSeconds, metrics.jobsRetrying]) gauge.reset()
    for (const { name, waiting, waitingSeconds, retrying } of rows) {
      metrics.jobsWaiting.set({ name }, waiting)
      metrics.jobsWaitingSeconds.set({ name }, waitingSeconds)
      metrics.jobsRetrying.set({ name }, retrying)
    }
  }

  async function lookAtWhatIsKept(): Promise<void> {
    if (kept === null || performance.now() - kept.countedAt > keptForMs) {
      kept = { counts: await countStoredDocuments(db), countedAt: performance.now() }
    }
    metrics.storedFiles.set(kept.counts.files)
    metrics.storedBytes.set(kept.counts.bytes)
    metrics.databaseBytes.set(kept.counts.databaseBytes)
  }

  /** The tables are there when the start is over. */
  const ofTheDatabase = () => Promise.all(lifecycle.phase === 'starting' ? [] : [lookAtJobs(), lookAtWhatIsKept()])

  return async () => {
    lookAtConnections()
    metrics.isReady.set({ part: 'start' }, Number(lifecycle.phase !== 'starting'))
    const lookAtParts = async () => {
      for (const [part, isWorking] of Object.entries(await checkParts(deps))) {
        metrics.isReady.set({ part }, Number(isWorking))
      }
    }
    await Promise.all([
      lookAtParts(),
      answers(lookAtDisks),
      replica && answers(() => lookAtReplica(replica)),
      answers(ofTheDatabase),
    ])
  }
}

/** What is kept. It is counted row by row, so not at every scrape. */
async function countStoredDocuments(db: Db) {
  const { rows } = await sql<{ files: number; bytes: number; databaseBytes: number }>`
    SELECT count(*) AS files, coalesce(sum(bytes), 0)::float8 AS bytes,
           pg_database_size(current_database()) AS "databaseBytes"
    FROM documents`.execute(db)
  return rows[0] ?? { files: 0, bytes: 0, databaseBytes: 0 }
}
