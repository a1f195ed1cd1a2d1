import { once } from 'node:events'
import { statfs } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { version } from '../../platform/db/version.ts'
import { checkParts, succeedsInTime } from '../../platform/http/health.ts'
import { describeError } from '../../platform/observability/log.ts'

/**
 * Node's own `http` without an import. An import evaluates every export, including `WebSocket`, for which Node loads
 * its whole `fetch`: 14 MB that this server does not need.
 */
const { createServer } = process.getBuiltinModule('node:http')

export type MetricsServer = { address: string; close(): Promise<void> }

/** The process metrics that alerts and the dashboard use. */
const ofProcess = [
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  // Updating this metric also sets the one above.
  'nodejs_eventloop_lag_seconds',
]

/**
 * Serves `/metrics` on a separate port that no proxy forwards to: users cannot read it, and it stays available when the
 * server is overloaded.
 */
export async function serveMetrics(deps: Deps, port: number): Promise<MetricsServer> {
  const { config, log, telemetry } = deps
  const { registry, build } = telemetry.metrics
  const all = new Registry()
  collectDefaultMetrics({ register: all })
  for (const name of ofProcess) {
    const metric = all.getSingleMetric(name)
    if (metric) registry.registerMetric(metric)
  }
  build.set({ version, role: config.role }, 1)
  const lookUp = createGaugeCollector(deps)

  const answer: RequestListener = async ({ method, url = '' }, response) => {
    if (url.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end()
    if (method !== 'GET' && method !== 'HEAD') return response.writeHead(405, { allow: 'GET, HEAD' }).end()
    await lookUp()
    const text = await registry.metrics()
    response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
  }
  const server = createServer((request, response) => {
    void Promise.resolve(answer(request, response)).catch((error) => {
      log.warn(`Couldn’t collect metrics: ${describeError(error)}`)
      response.destroy()
    })
  })
  await once(server.listen(port, config.metricsHost), 'listening')
  const bound = server.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  const host = config.metricsHost.includes(':') ? `[${config.metricsHost}]` : config.metricsHost
  return {
    address: `http://${host}:${boundPort}`,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const keptForMs = 5 * 60_000

/**
 * Updates the gauges that are not counted as events happen. Never rejects: an unavailable part has no value and is
 * reported in `ready`.
 */
function createGaugeCollector(deps: Deps): () => Promise<void> {
  const { config, db, jobs, lifecycle, replica } = deps
  const { metrics } = deps.telemetry
  let kept: { counts: Awaited<ReturnType<typeof countStoredDocuments>>; countedAt: number } | null = null

  function collectConnections(): void {
    const jobConnections = jobs.countConnections()
    const pools = {
      requests: { ...deps.countConnections(), max: config.databasePoolSize },
      ...(replica && { replica: { ...replica.countConnections(), max: config.databasePoolSize } }),
      ...(jobConnections && { jobs: jobConnections }),
    }
    for (const [pool, { open, idle, waiting, max }] of Object.entries(pools)) {
      metrics.connections.set({ pool, state: 'idle' }, idle)
      metrics.connections.set({ pool, state: 'busy' }, open - idle)
      metrics.connectionsAwaited.set({ pool }, waiting)
      metrics.connectionsMax.set({ pool }, max)
    }
  }

  /** NaN if the replica does not answer or does not belong to this database. */
  async function collectReplica(of: NonNullable<typeof replica>): Promise<void> {
    metrics.replicaBytesBehind.set(Number.NaN)
    metrics.replicaBytesBehind.set((await of.countBytesBehind()) ?? Number.NaN)
  }

  /** With files in a bucket, only `data` is on a disk. Each folder may be a separate mount. */
  async function collectDisks(): Promise<void> {
    const folders = { data: config.dataDir, ...(!config.s3 && { files: join(config.dataDir, 'files') }) }
    for (const [folder, path] of Object.entries(folders)) {
      const { bavail, blocks, bsize } = await statfs(path)
      metrics.diskFree.set({ folder }, bavail * bsize)
      metrics.diskSize.set({ folder }, blocks * bsize)
    }
  }

  async function collectJobs(): Promise<void> {
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

  async function collectStorageGauges(): Promise<void> {
    if (kept === null || performance.now() - kept.countedAt > keptForMs) {
      kept = { counts: await countStoredDocuments(db), countedAt: performance.now() }
    }
    metrics.storedFiles.set(kept.counts.files)
    metrics.storedBytes.set(kept.counts.bytes)
    metrics.databaseBytes.set(kept.counts.databaseBytes)
  }

  /** The tables exist only after the start. */
  const ofTheDatabase = () => Promise.all(lifecycle.phase === 'starting' ? [] : [collectJobs(), collectStorageGauges()])

  return async () => {
    collectConnections()
    metrics.isReady.set({ part: 'start' }, Number(lifecycle.phase !== 'starting'))
    const lookAtParts = async () => {
      for (const [part, isWorking] of Object.entries(await checkParts(deps))) {
        metrics.isReady.set({ part }, Number(isWorking))
      }
    }
    await Promise.all([
      lookAtParts(),
      succeedsInTime(collectDisks),
      replica && succeedsInTime(() => collectReplica(replica)),
      succeedsInTime(ofTheDatabase),
    ])
  }
}

/** Counts stored documents row by row, which is too slow for every scrape. */
async function countStoredDocuments(db: Db) {
  const { rows } = await sql<{ files: number; bytes: number; databaseBytes: number }>`
    SELECT count(*) AS files, coalesce(sum(bytes), 0)::float8 AS bytes,
           pg_database_size(current_database()) AS "databaseBytes"
    FROM documents`.execute(db)
  return rows[0] ?? { files: 0, bytes: 0, databaseBytes: 0 }
}
