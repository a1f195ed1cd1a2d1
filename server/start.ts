import { join } from 'node:path'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { untilDatabaseAnswers } from './db/until-answering.ts'
import type { Deps } from './deps.ts'
import { firstCheck } from './files/own-storage.ts'
import { findFreePort } from './free-port.ts'
import { sharePageParts } from './http/page-parts.ts'
import { enqueueRestored } from './jobs.ts'
import { createLogger, describeError, type Log } from './log.ts'
import { type MetricsServer, serveMetrics } from './metrics/serve-metrics.ts'
import { openDeps } from './open-deps.ts'
import { collectGarbage } from './pdf/collect-garbage.ts'
import { createDataDir, type EmbeddedDatabase, startEmbeddedDatabase } from './postgres/embedded.ts'
import { deriveSecret, readOrMakeSecret } from './secret.ts'
import { explainStart } from './start-problem.ts'
import { within } from './within.ts'

export type RunningServer = {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  address: string
  /** Where its metrics are; null where nobody asked for them. */
  metricsAddress: string | null
  deps: Deps
  /** Where mails go, for people. */
  mail: string
  /** Stops accepting, finishes what is under way, closes the database: 10 s at most, all told. */
  stop(): Promise<void>
}

/** What ending takes at most. */
export const stopTimeoutMs = 10_000
/** When, counted from the wish to end, each part has to be over, so that the next one has its time. */
const overAfterMs = { underWay: 6_500, connections: 7_500, postgres: 9_500 }
/** The job queue's, a person's with psql, a backup's. */
const otherConnections = 30

/** Starts everything the configuration asks for. Rejects with an error whose message says what to do. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLogger(config)
  await createDataDir(config.dataDir)
  const secret = config.secret ?? (await readOrMakeSecret(config.dataDir))
  const embedded = config.databaseUrl ? null : await startEmbedded(config, secret, log)
  try {
    return await startOnDatabase(config, secret, embedded, log)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

const startEmbedded = (config: Config, secret: string, log: Log): Promise<EmbeddedDatabase> =>
  startEmbeddedDatabase({
    dataDir: config.dataDir,
    password: deriveSecret(secret, 'postgres'),
    maxConnections: config.databasePoolSize + otherConnections,
    log,
  })

async function startOnDatabase(
  config: Config,
  secret: string,
  embedded: EmbeddedDatabase | null,
  log: ReturnType<typeof createLogger>,
): Promise<RunningServer> {
  const databaseUrl = embedded?.url ?? config.databaseUrl ?? ''
  const port = config.port === 0 ? await findFreePort(config.host) : config.port
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const deps = await openDeps({ ...config, port, publicUrl }, { databaseUrl, secret, log })
  const app = await buildApp(deps, log)
  let metrics: MetricsServer | null = null
  const explain = (error: Error) => explainStart(error, { DATABASE_URL: config.databaseUrl ?? undefined })

  try {
    if (config.metricsPort !== null) metrics = await serveMetrics(deps, config.metricsPort)
    const address = await app.listen({ port, host: config.host })
    await untilDatabaseAnswers(
      log,
      async () => {
        await migrate(config.databaseDirectUrl ?? databaseUrl, log)
        if (config.role !== 'worker') await sharePageParts(deps.db)
        await deps.jobs.start()
      },
      { explain },
    )
    await untilDatabaseAnswers(log, () => enqueueRestored(deps), { explain })
    await firstCheck(deps.files, log)
    await deps.scanner?.check().catch((error) => log.warn(`CLAMAV_URL: ${describeError(error)}`))
    // What the start has used goes back to the system: 25 MB in 0.2 s, while nobody waits for an answer yet. V8 would do so
    // when nothing happens for long, and jobs are looked for all the time.
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    deps.startup.done = true
    return {
      address,
      metricsAddress: metrics && `${metrics.address}/metrics`,
      deps,
      mail: config.smtpUrl ? `to ${new URL(config.smtpUrl).host}` : `to ${join(config.dataDir, 'outbox')}`,
      async stop() {
        const warn = (error: unknown) => log.warn(`Not everything ended in order: ${describeError(error)}`)
        const begunAt = performance.now()
        const leftUntil = (ms: number) => Math.max(0, begunAt + ms - performance.now())
        // Nobody waits for words that are recognised; what is under way comes again.
        void deps.recogniser.close().catch(warn)
        await within(leftUntil(overAfterMs.underWay), Promise.all([app.close(), deps.jobs.drain()]).catch(warn))
        app.isEnding = true
        app.server.closeAllConnections()
        const closed = Promise.all([metrics?.close(), deps.jobs.stop(0)]).then(() => deps.close())
        await within(leftUntil(overAfterMs.connections), closed.catch(warn))
        await embedded?.stop(leftUntil(overAfterMs.postgres))
      },
    }
  } catch (error) {
    await metrics?.close()
    await app.close()
    await deps.close()
    throw error
  }
}
