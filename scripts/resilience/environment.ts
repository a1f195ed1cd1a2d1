import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { connect } from '../../server/platform/db/client.ts'
import { startEmbeddedDatabase } from '../../server/platform/embedded-postgres/embedded.ts'
import { findFreePort } from '../../server/platform/embedded-postgres/free-port.ts'
import { type Daemons, startCluster, urlOf, waitUntil } from '../../server/testing/services.ts'
import { startSmtpServer } from '../../server/testing/smtp-server.ts'
import { Ledger, pick } from './ledger.ts'

/**
 * A request counts as not answered when it fails or Lectern responds with 502, 503 or 504. Times are of
 * `performance.now()`.
 */
export type SentRequest = { what: string; begunMs: number; endedMs: number; isAnswered: boolean; status: number }

export type SingleEnvironment = Awaited<ReturnType<typeof startSingleEnvironment>>
export type ClusterEnvironment = Awaited<ReturnType<typeof startClusterEnvironment>>
export type Environment = SingleEnvironment | ClusterEnvironment

type Cleanup = (() => unknown)[]
const local = '127.0.0.1'
const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Creates the records of requests to the servers. */
async function openRecords(cleanup: Cleanup) {
  const smtp = await startSmtpServer()
  cleanup.push(smtp.close)
  const env = {
    SMTP_URL: `smtp://${local}:${smtp.port}`,
    MAIL_FROM: 'Lectern <lectern@localhost>',
    SECRET: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'http://localhost:3000',
    RATE_LIMIT: 'off',
    OCR: 'off',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'test',
  }
  return {
    ledger: new Ledger(),
    requests: [] as SentRequest[],
    /** Unexpected events. */
    problems: new Set<string>(),
    /** Ids of notes by their titles, which are unique. */
    noteIds: new Map<string, string>(),
    mails: smtp.received,
    env,
  }
}
type Records = Awaited<ReturnType<typeof openRecords>>

/** @param name begins with the role. DATA_DIR is by default a separate folder. */
function createServer(daemons: Daemons, name: string, env: object, { problems }: Records, port?: number) {
  const define = ({ folder, port }: { folder: string; port: number }) => ({
    command: process.execPath,
    args: [main],
    env: { DATA_DIR: folder, ...env, ROLE: name.split('-')[0], PORT: String(port) },
    isReady: async () => (await fetch(`http://${local}:${port}/readyz`)).ok,
    onCrash: (message: string) => problems.add(message),
  })
  return daemons.create(name, define, port)
}

/** Starts two web servers, which users reach directly, and a worker, on one folder and the embedded PostgreSQL. */
export async function startSingleEnvironment(daemons: Daemons, cleanup: Cleanup) {
  const records = await openRecords(cleanup)
  const [dataDir, databaseDir] = [join(daemons.folder, 'data'), join(daemons.folder, 'database')]
  await mkdir(dataDir)
  const log = pino(pino.destination(join(daemons.folder, 'postgres.log')))
  const password = randomBytes(16).toString('hex')
  const database = await startEmbeddedDatabase({ dataDir: databaseDir, password, log })
  cleanup.push(() => database.stop())
  // Servers are started so often that compiling them would take most of the time.
  const NODE_COMPILE_CACHE = join(daemons.folder, 'compiled')
  const env = { ...records.env, DATABASE_URL: database.url, DATA_DIR: dataDir, NODE_COMPILE_CACHE }
  const create = (name: string) => createServer(daemons, name, env, records)
  const [webs, workers] = [[await create('web-1'), await create('web-2')], [await create('worker-1')]]
  cleanup.push(() => Promise.all([...webs, ...workers].map((server) => server.stop())))
  await Promise.all([...webs, ...workers].map((server) => server.start()))
  return {
    ...records,
    webs,
    workers,
    env,
    databaseUrl: database.url,
    /** Returns the server for the next request. */
    async getOrigin() {
      const web = await waitUntil('A web server is ready', async () => pick(webs.filter((one) => one.isReady)))
      return web.url
    },
    /** Signals every process of PostgreSQL at the same time. */
    signalPostgres(signal: NodeJS.Signals) {
      try {
        const [pid = ''] = readFileSync(join(databaseDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
        for (const one of [pid, ...children]) process.kill(Number(one), signal)
      } catch {
        // PostgreSQL is starting, or has just exited.
      }
    },
  }
}

/** Starts two web servers behind HAProxy and two workers, with PgBouncer, a replicated PostgreSQL and Ceph. */
export async function startClusterEnvironment(daemons: Daemons, cleanup: Cleanup) {
  const records = await openRecords(cleanup)
  const webPorts = [await findFreePort(local), await findFreePort(local)]
  const cluster = await startCluster(daemons, webPorts)
  const { database, gateway, frontPort, poolerPort } = cluster
  const [databaseUrl, origin] = [urlOf(database.port, 'lectern'), `http://${local}:${frontPort}`]
  const env = {
    ...records.env,
    ...(await gateway.createBucket('lectern-cluster')),
    DATABASE_URL: urlOf(poolerPort, 'lectern'),
    DATABASE_REPLICA_URL: urlOf(database.replicaPort, 'lectern'),
    DATABASE_DIRECT_URL: databaseUrl,
    DATABASE_PREPARED: 'off',
    PUBLIC_URL: origin,
    TRUST_PROXY: local,
    // HAProxy needs this time to notice that a server stops.
    DRAIN_SECONDS: '5',
  }
  const metrics = [await findFreePort(local), await findFreePort(local)]
  const create = (name: string, more = {}, port?: number) =>
    createServer(daemons, name, { ...env, ...more }, records, port)
  const webs = await Promise.all(
    webPorts.map((port, n) => create(`web-${n + 1}`, { METRICS_PORT: String(metrics[n]) }, port)),
  )
  const workers = [await create('worker-1'), await create('worker-2')]
  for (const server of [...webs, ...workers]) await server.start()
  await waitUntil('HAProxy reaches a web server', async () => (await fetch(`${origin}/readyz`)).ok)
  return {
    ...records,
    ...cluster,
    webs,
    workers,
    databaseUrl,
    env: { ...env, DATA_DIR: daemons.folder },
    getOrigin: async () => origin,
    async countListReads(from: 'primary' | 'replica') {
      const pattern = new RegExp(`^lectern_list_reads_total{from="${from}"} (\\d+)`, 'm')
      const read = async (port: number) => (await fetch(`http://${local}:${port}/metrics`)).text()
      const texts = await Promise.all(metrics.map(read))
      return texts.reduce((sum, text) => sum + Number(pattern.exec(text)?.[1] ?? 0), 0)
    },
  }
}

/** Opens a connection to the primary. */
export const connectTo = ({ databaseUrl }: Pick<Environment, 'databaseUrl'>) =>
  connect({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
