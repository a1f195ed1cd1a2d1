import { createServer } from 'node:net'
import { join } from 'node:path'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { isDatabaseAway } from './db/unavailable.ts'
import type { Deps } from './deps.ts'
import { createLogger, describeError, type Log } from './log.ts'
import { openDeps } from './open-deps.ts'
import { createDataDir, type EmbeddedDatabase, startEmbeddedDatabase } from './postgres/embedded.ts'
import { deriveSecret, readOrMakeSecret } from './secret.ts'

export type RunningServer = {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  address: string
  deps: Deps
  /** Where mails go, for people. */
  mail: string
  /** Stops accepting, finishes what is under way (10 s at most), closes the database. */
  stop(): Promise<void>
}

const stopTimeoutMs = 10_000
const databaseRetryMs = 1_000
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
  const stopping = new AbortController()

  try {
    const address = await app.listen({ port, host: config.host })
    await waitForDatabase(databaseUrl, log, stopping.signal)
    await deps.jobs.start()
    deps.startup.done = true
    return {
      address,
      deps,
      mail: config.smtpUrl ? `to ${new URL(config.smtpUrl).host}` : `to ${join(config.dataDir, 'outbox')}`,
      async stop() {
        await withTimeout(app.close())
        await deps.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    stopping.abort()
    await app.close()
    await deps.close()
    throw error
  }
}

/** Migrates, and waits for a database that is away: the process is alive meanwhile, but not ready. */
async function waitForDatabase(databaseUrl: string, log: Log, signal: AbortSignal): Promise<void> {
  for (let waited = false; !signal.aborted; waited = true) {
    try {
      return await migrate(databaseUrl, log)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      if (!waited) log.warn(`Waiting for the database: ${describeError(error)}`)
      await new Promise((resolve) => setTimeout(resolve, databaseRetryMs))
    }
  }
}

async function withTimeout(work: PromiseLike<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, stopTimeoutMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
