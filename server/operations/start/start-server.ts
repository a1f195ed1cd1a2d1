import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { Deps } from '../../dependencies.ts'
import { retryUntilDatabaseIsUp } from '../../platform/db/database-unavailable.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { deriveSecret, getOrCreateSecret, requireOwnSecret } from '../../platform/db/secret.ts'
import { waitUpTo } from '../../platform/db/waiting.ts'
import {
  createDataDir,
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../platform/embedded-postgres/embedded.ts'
import { findFreePort } from '../../platform/embedded-postgres/free-port.ts'
import type { App } from '../../platform/http/endpoints.ts'
import { createLogger, describeError, type Log } from '../../platform/observability/log.ts'
import { collectGarbage } from '../../platform/pdf/collect-garbage.ts'
import { checkStorageAtStart } from '../../platform/storage/open-storage.ts'
import { type MetricsServer, serveMetrics } from '../metrics/serve-metrics.ts'
import { explainStartError } from './explain-start-error.ts'

export type RunningServer = {
  /** The address of the server, such as `http://127.0.0.1:3000`. */
  address: string
  /** The address of its metrics; null if they are not configured. */
  metricsAddress: string | null
  deps: Deps
  /** A description of the mail destination for the operator. */
  mail: string
  /**
   * Drains for `DRAIN_SECONDS`, then stops accepting requests, finishes those in progress and closes the database, in
   * 10 s at most.
   */
  stop(): Promise<void>
}

/** Maximum duration of the shutdown after draining. */
export const stopTimeoutMs = 10_000
/** When each part must be finished, counted from the end of draining, so that the next one has time. */
const shutdownDeadlinesMs = { underWay: 6_500, connections: 7_500, postgres: 9_500 }
/** How long a failed start waits for requests, and then for the preparation of the database, to end. */
const failedStartLimitMs = 5_000
/** Connections of the job queue, of an operator's psql and of a backup. */
const otherConnections = 30

/**
 * Loads most of the server's code while PostgreSQL starts.
 * @public because a test loads it in a separate process
 */
export async function loadApp() {
  const [{ buildApp }, { enqueueRestored, openDeps }] = await Promise.all([
    import('../../app.ts'),
    import('./open-dependencies.ts'),
  ])
  return { buildApp, enqueueRestored, openDeps }
}

/**
 * Starts everything that is configured. Rejects with an error whose message includes advice for the operator.
 * @param pagesBuilt resolves when the pages are built, if they are built at the start.
 */
export async function startServer(config: Config, pagesBuilt?: Promise<unknown>): Promise<RunningServer> {
  const log = createLogger(config)
  await createDataDir(config.dataDir)
  const secret = config.secret ?? (await getOrCreateSecret(config.dataDir))
  const embedded = config.databaseUrl ? null : await startEmbedded(config, secret, log)
  try {
    return await startOnDatabase(config, secret, embedded, log, pagesBuilt)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

async function startEmbedded(config: Config, secret: string, log: Log): Promise<EmbeddedDatabase> {
  const spawned = Promise.withResolvers<void>()
  const started = startEmbeddedDatabase({
    dataDir: config.dataDir,
    password: deriveSecret(secret, 'postgres'),
    maxConnections: config.databasePoolSize + otherConnections,
    log,
    onSpawn: spawned.resolve,
  })
  await Promise.race([spawned.promise, started])
  await loadApp()
  return started
}

async function startOnDatabase(
  config: Config,
  secret: string,
  embedded: EmbeddedDatabase | null,
  log: ReturnType<typeof createLogger>,
  pagesBuilt?: Promise<unknown>,
): Promise<RunningServer> {
  const { buildApp, enqueueRestored, openDeps } = await loadApp()
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? ''
  const port = config.port === 0 ? await findFreePort(config.host) : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const deps = await openDeps({ ...config, port, publicUrl }, { databaseUrl, secret, log })
  let app: App | null = null
  let metrics: MetricsServer | null = null
  const explain = (error: Error) => explainStartError(error, { DATABASE_URL: config.databaseUrl ?? undefined }).text
  const prepare = async () => {
    await migrate(config.databaseDirectUrl ?? databaseUrl, log)
    await requireOwnSecret(deps.db, secret)
    await deps.jobs.start()
  }
  // The embedded database belongs only to this server and is prepared while the pages are built. Any other one stays
  // unchanged until it is certain that this server can listen.
  const prepared = embedded && retryUntilDatabaseIsUp(log, prepare, { explain })
  const settled = prepared?.catch(() => {})

  try {
    await pagesBuilt
    const serving = await buildApp(deps, log)
    app = serving
    if (config.metricsPort !== null) metrics = await serveMetrics(deps, config.metricsPort)
    const address = await serving.listen({ port, host: config.host })
    await (prepared ?? retryUntilDatabaseIsUp(log, prepare, { explain }))
    await retryUntilDatabaseIsUp(log, () => enqueueRestored(deps), { explain })
    await checkStorageAtStart(deps.files, log)
    await deps.scanner?.check().catch((error) => log.warn(`CLAMAV_URL: ${describeError(error)}`))
    // Returns the memory of the start to the system (25 MB in 0.2 s) before any request is answered. V8 would do so
    // only after a long idle time, which polling for jobs prevents.
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    deps.lifecycle.serve()
    return {
      address,
      metricsAddress: metrics && `${metrics.address}/metrics`,
      deps,
      mail: config.smtpUrl ? new URL(config.smtpUrl).host : join(config.dataDir, 'outbox'),
      async stop() {
        deps.lifecycle.phase = 'draining'
        await delay(config.drainSeconds * 1_000)
        const warn = (error: unknown) => log.warn(`Could not shut down cleanly: ${describeError(error)}`)
        const startedAt = performance.now()
        const leftUntil = (ms: number) => Math.max(0, startedAt + ms - performance.now())
        // No user waits for recognition, and interrupted work is repeated later.
        void deps.ocr.close().catch(warn)
        await waitUpTo(
          leftUntil(shutdownDeadlinesMs.underWay),
          Promise.all([serving.close(), deps.jobs.drain()]).catch(warn),
        )
        serving.isEnding = true
        serving.server.closeAllConnections()
        const closed = Promise.all([metrics?.close(), deps.jobs.stop(0)]).then(() => deps.close())
        await waitUpTo(leftUntil(shutdownDeadlinesMs.connections), closed.catch(warn))
        await embedded?.stop(leftUntil(shutdownDeadlinesMs.postgres))
      },
    }
  } catch (error) {
    await metrics?.close()
    if (app) await waitUpTo(failedStartLimitMs, app.close())
    app?.server.closeAllConnections()
    // An interrupted statement would be reported in addition to the reason of the failed start.
    await waitUpTo(failedStartLimitMs, settled ?? Promise.resolve())
    await deps.close()
    throw error
  }
}
