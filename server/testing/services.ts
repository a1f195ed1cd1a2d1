import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { connect } from '../platform/db/client.ts'
import { roleSettings } from '../platform/db/set-local.ts'
import { findFreePort } from '../platform/embedded-postgres/free-port.ts'

/** Services from Debian's packages, which the tests start themselves. */
const postgresBin = '/usr/lib/postgresql/15/bin'
const cephPackages = ['ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw', 'ceph-common']
const postgresPackages = ['postgresql-15', 'pgbouncer']
export const clusterPackages = [...cephPackages, ...postgresPackages, 'patroni', 'etcd-server', 'haproxy']

const local = '127.0.0.1'
const startMs = 300_000
const stopMs = 15_000
const run = promisify(execFile)

/** Installs missing packages. @throws if that needs root. */
export function installPackages(packages: string[]): void {
  if (spawnSync('dpkg', ['--status', ...packages]).status === 0) return
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`Debian packages are missing. Run as root: apt-get ${install.join(' ')}`)
  process.stdout.write(`Installing ${packages.join(', ')} …\n`)
  // In runlevel 1 Debian does not start the services.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  for (const args of [['update', '-q'], install]) execFileSync('apt-get', args, { stdio: 'inherit', env })
}

/** The separate folder and port of a service. */
type Place = { folder: string; port: number }

type Definition = {
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  /** Files that are written to its folder before the first start. */
  files?: Record<string, string>
  /** A command that runs once, before the first start. */
  setUp?: string[]
  /** Set for PostgreSQL's programs, which refuse to run as root. */
  asPostgres?: boolean
  isReady(): Promise<unknown>
  /** Called when the process exits unexpectedly. By default `start` throws if that happens before it is ready. */
  onCrash?(message: string): void
}

export type Daemon = ReturnType<typeof createDaemon>

/** A foreground process that always has the same folder and port. */
function createDaemon(name: string, { folder, port }: Place, definition: Definition, log: string) {
  const { command, args, env, asPostgres, onCrash } = definition
  let child: ChildProcess | null = null
  let [isReady, isStopping] = [false, false]
  return {
    name,
    folder,
    port,
    url: `http://${local}:${port}`,
    get isReady() {
      return isReady
    },

    /** Resolves when it is ready, or was stopped before. */
    async start(): Promise<void> {
      const output = openSync(log, 'a')
      const started = spawn(command, args, {
        cwd: '/',
        env: { ...process.env, ...env },
        stdio: ['ignore', output, output],
        ...(asPostgres && findPostgresAccount()),
      })
      closeSync(output)
      child = started
      isStopping = false
      started.once('error', () => {})
      started.once('exit', (code) => {
        if (child !== started) return
        isReady = false
        if (!isStopping && code !== null) onCrash?.(`${name} exited unexpectedly with code ${code}`)
      })
      await waitUntil(`${name} is ready`, async () => !isRunning(started) || (await definition.isReady()))
      if (child !== started) return
      isReady = isRunning(started)
      if (!isReady && !isStopping && !onCrash) throw new Error(`${name} exited. See ${log}`)
    },

    signal(signal: NodeJS.Signals): void {
      if (isRunning(child)) child?.kill(signal)
    },

    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      const stopped = child
      if (!stopped || !isRunning(stopped)) return
      isStopping = true
      const exited = once(stopped, 'exit')
      stopped.kill(signal)
      using _timeout = globalThis.setTimeout(() => stopped.kill('SIGKILL'), stopMs)
      await exited
    },
  }
}

const isRunning = (child: ChildProcess | null) =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null

export type Define = (place: Place) => Definition

export type Daemons = Awaited<ReturnType<typeof openDaemons>>

/**
 * @param parent the folder in which theirs is made.
 * @param logs the folder for the output of the processes; by default it is removed with the rest.
 */
export async function openDaemons(
  prefix: string,
  { parent = tmpdir(), logs }: { parent?: string; logs?: string } = {},
) {
  const folder = await mkdtemp(join(parent, `lectern-${prefix}-`))
  // PostgreSQL's account must be able to reach its own folder inside.
  await chmod(folder, 0o711)
  const all: Daemon[] = []
  const account = findPostgresAccount()
  /** @param port a free one by default. */
  async function create(name: string, define: Define, port?: number): Promise<Daemon> {
    const place = { folder: await mkdtemp(join(folder, `${name}-`)), port: port ?? (await findFreePort(local)) }
    const definition = define(place)
    const { files = {}, setUp = [], asPostgres } = definition
    if (asPostgres && account.uid !== undefined) await chown(place.folder, account.uid, account.gid)
    for (const [name, text] of Object.entries(files)) await writeFile(join(place.folder, name), text)
    const [command, ...args] = setUp
    if (command) await run(command, args, { cwd: '/', ...(asPostgres && account) })
    const daemon = createDaemon(name, place, definition, join(logs ?? folder, `${name}.log`))
    all.push(daemon)
    return daemon
  }
  return {
    folder,
    create,
    async start(name: string, define: Define): Promise<Daemon> {
      const daemon = await create(name, define)
      await daemon.start()
      return daemon
    },
    /** Stops all processes, the last one first, and removes their folder. */
    async stop() {
      for (const daemon of all.toReversed()) await daemon.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function findPostgresAccount(): { uid: number; gid: number } | { uid?: undefined } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return {}
  }
}

/** Retries until the result is usable. @throws with the message of the last error when it takes too long. */
export async function waitUntil<T>(
  what: string,
  find: () => Promise<T | null | undefined | false>,
  timeoutMs = startMs,
): Promise<T> {
  let reason = ''
  for (const end = Date.now() + timeoutMs; Date.now() < end; await setTimeout(100)) {
    const found = await find().catch((error: Error) => {
      reason = error.message
      return null
    })
    if (found) return found
  }
  throw new Error(`${what}: not within ${timeoutMs / 1000} s. ${reason}`)
}

// PostgreSQL

const superuser = 'postgres'
const databasePassword = 'only-for-tests'
export const urlOf = (port: number, user = superuser) =>
  `postgres://${user}:${databasePassword}@${local}:${port}/${user}`

async function query(connectionString: string, texts: string[]): Promise<true> {
  await using client = await connect({ connectionString, connectionTimeoutMillis: 5_000 })
  for (const text of texts) await client.query(text)
  return true
}

const canConnect = (port: number) => query(urlOf(port), ['SELECT 1'])

function postgres({ folder, port }: Place): Definition {
  const data = join(folder, 'data')
  const settings = ['unix_socket_directories=', 'max_connections=500', 'fsync=off', `port=${port}`]
  for (const [name, value] of Object.entries(roleSettings)) settings.push(`${name}=${value}`)
  const options = ['-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync']
  return {
    command: join(postgresBin, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    setUp: [join(postgresBin, 'initdb'), '-D', data, '-U', superuser, ...options],
    asPostgres: true,
    isReady: () => canConnect(port),
  }
}

/** Runs PgBouncer in transaction mode, for every database of a server. */
const pgbouncer =
  (postgresPort: number, poolSize: number, user = superuser): Define =>
  ({ folder, port }) => ({
    command: 'pgbouncer',
    args: [join(folder, 'pgbouncer.ini')],
    asPostgres: true,
    isReady: () => canConnect(port),
    files: {
      'pgbouncer.ini': `[databases]
* = host=${local} port=${postgresPort} user=${user} password=${databasePassword}
[pgbouncer]
listen_addr = ${local}
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${poolSize}
server_idle_timeout = 10
server_login_retry = 1
`,
    },
  })

/** The seconds until Patroni notices that a primary is gone. */
const leaseSeconds = 8
const patroni =
  (name: string, restPort: number, etcdPort: number): Define =>
  ({ folder, port }) => ({
    command: 'patroni',
    args: [join(folder, 'patroni.yml')],
    asPostgres: true,
    isReady: async () => true,
    files: {
      'patroni.yml': `scope: lectern
name: ${name}
restapi: { listen: "${local}:${restPort}", connect_address: "${local}:${restPort}" }
etcd3: { host: "${local}:${etcdPort}" }
bootstrap:
  dcs:
    ttl: ${leaseSeconds}
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: 64MB, checkpoint_timeout: 30s, hot_standby_feedback: true, password_encryption: scram-sha-256 } }
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums ]
  pg_hba: [ "host replication all ${local}/32 scram-sha-256", "host all all ${local}/32 scram-sha-256" ]
postgresql:
  listen: "${local}:${port}"
  connect_address: "${local}:${port}"
  data_dir: "${join(folder, 'data')}"
  bin_dir: "${postgresBin}"
  pgpass: "${join(folder, 'pgpass')}"
  authentication:
    superuser: { username: ${superuser}, password: ${databasePassword} }
    replication: { username: replicator, password: ${databasePassword} }
    rewind: { username: rewind, password: ${databasePassword} }
  parameters: ${JSON.stringify({ unix_socket_directories: folder, ...roleSettings })}
`,
    },
  })

const etcd: Define = ({ folder, port }) => {
  const url = `http://${local}:${port}`
  const args = ['--data-dir', join(folder, 'data'), '--listen-client-urls', url, '--advertise-client-urls', url]
  // The node has no peers.
  args.push('--listen-peer-urls', `http://${local}:0`)
  return { command: 'etcd', args, asPostgres: true, isReady: async () => (await fetch(`${url}/health`)).ok }
}

type Machine = { name: string; restPort: number; patroni: Daemon }
type Server = { port: number; checkPort?: number }

/** Routes connections to servers that pass the check. @param checks options of HAProxy. */
const listen = (port: number, checks: string, servers: Server[]) => `listen port-${port}
  bind ${local}:${port}
  ${checks}
${servers.map(({ port, checkPort = port }) => `  server ${port} ${local}:${port} check port ${checkPort}\n`).join('')}`

const haproxy =
  (write: (port: number) => string, isReady: (port: number) => Promise<unknown>): Define =>
  ({ folder, port }) => ({
    command: 'haproxy',
    args: ['-db', '-f', join(folder, 'haproxy.cfg')],
    files: {
      'haproxy.cfg': `defaults
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 30s
  default-server inter 500ms fall 2 rise 1
${write(port)}`,
    },
    isReady: () => isReady(port),
  })

/**
 * Starts two PostgreSQL servers with synchronous replication under Patroni. HAProxy has a port for the primary and one
 * for the replica.
 */
async function startDatabaseCluster(daemons: Daemons, owner: string) {
  const { port: etcdPort } = await daemons.start('etcd', etcd)
  const machines: Machine[] = []
  for (const name of ['postgres-1', 'postgres-2']) {
    const restPort = await findFreePort(local)
    machines.push({ name, restPort, patroni: await daemons.start(name, patroni(name, restPort, etcdPort)) })
  }
  const is = async ({ restPort }: Machine, state: string) =>
    (await fetch(`http://${local}:${restPort}/${state}`).catch(() => null))?.status === 200
  const findIn = (state: string) =>
    waitUntil(`A PostgreSQL is ${state}`, async () => {
      for (const machine of machines) if (await is(machine, state)) return machine
    })
  await findIn('synchronous')
  const replicaPort = await findFreePort(local)
  const servers = machines.map(({ restPort, patroni }) => ({ port: patroni.port, checkPort: restPort }))
  const listenFor = (role: string, port: number) =>
    listen(port, `option httpchk OPTIONS /${role}\n  default-server on-marked-down shutdown-sessions`, servers)
  const write = (port: number) => listenFor('primary', port) + listenFor('replica', replicaPort)
  const { port } = await daemons.start('haproxy-database', haproxy(write, canConnect))
  const make = [`CREATE ROLE ${owner} LOGIN PASSWORD '${databasePassword}'`, `CREATE DATABASE ${owner} OWNER ${owner}`]
  const drop = [`DROP DATABASE IF EXISTS ${owner}`, `DROP ROLE IF EXISTS ${owner}`]
  // HAProxy closes connections when its first checks find another primary.
  await waitUntil('The database is created', () => query(urlOf(port), [...drop, ...make]))
  return {
    port,
    replicaPort,
    findPrimary: () => findIn('primary'),
    waitUntilSynchronous: () => findIn('synchronous'),
    /** Kills PostgreSQL and Patroni at the same time, as a power loss does. */
    async killMachine({ patroni }: Machine) {
      const [pid] = (await readFile(join(patroni.folder, 'data', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await patroni.stop('SIGKILL')
    },
    /** Resolves when the machine follows the primary. */
    async startMachine(machine: Machine) {
      await machine.patroni.start()
      await waitUntil(`${machine.name} follows`, () => is(machine, 'replica'))
    },
  }
}

// Ceph

/** Starts a Ceph of one node, which keeps everything in memory, with its S3 gateway. */
async function startGateway(daemons: Daemons) {
  const [monitorPort, port] = [await findFreePort(local), await findFreePort(local)]
  const folder = join(daemons.folder, 'ceph')
  for (const name of ['', 'mon', 'osd', 'mgr', 'rgw', 'run', 'log']) await mkdir(join(folder, name))
  const [conf, keyring, map] = [join(folder, 'ceph.conf'), join(folder, 'keyring'), join(folder, 'monmap')]
  await writeFile(conf, configureCeph(folder, monitorPort, port))
  const env = { ...process.env, CEPH_CONF: conf }
  const call = (command: string, ...args: string[]) => run(command, args, { env, timeout: startMs })
  const start = (command: string, args: string[], isReady = async () => true) =>
    daemons.start(command, () => ({ command, args: ['-f', ...args], env, isReady }))
  await call('ceph-authtool', '--create-keyring', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
  const caps = ['mon', 'osd', 'mgr'].flatMap((service) => ['--cap', service, 'allow *'])
  for (const name of ['client.admin', 'client.rgw', 'mgr.x', 'osd.0'])
    await call('ceph-authtool', keyring, '--gen-key', '-n', name, ...caps)
  await call('monmaptool', '--create', '--addv', 'a', `[v2:${local}:${monitorPort}]`, map)
  await call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
  await start('ceph-mon', ['-i', 'a'])
  await call('ceph', 'auth', 'import', '-i', keyring)
  await start('ceph-mgr', ['-i', 'x'])
  await call('ceph', 'osd', 'create')
  await call('ceph-osd', '-i', '0', '--mkfs')
  await start('ceph-osd', ['-i', '0'])
  const url = `http://${local}:${port}`
  await start('radosgw', ['-n', 'client.rgw'], async () => (await fetch(url)).ok)
  const user = ['--uid=test', '--display-name=test', '--access-key=test', '--secret=testtest']
  await call('radosgw-admin', '-n', 'client.rgw', 'user', 'create', ...user)
  return {
    env: { TEST_S3_ENDPOINT: url, TEST_S3_ACCESS_KEY_ID: 'test', TEST_S3_SECRET_ACCESS_KEY: 'testtest' },
    /** Creates a bucket and returns the variables with which Lectern finds it. */
    async createBucket(name: string) {
      const credentials = { accessKeyId: 'test', secretAccessKey: 'testtest' }
      const client = new S3Client({ endpoint: url, region: 'us-east-1', credentials, forcePathStyle: true })
      await client.send(new CreateBucketCommand({ Bucket: name })).finally(() => client.destroy())
      const keys = { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey }
      return { S3_ENDPOINT: url, S3_BUCKET: name, S3_REGION: 'us-east-1', ...keys }
    },
  }
}

const configureCeph = (folder: string, monitorPort: number, port: number) => `[global]
fsid=${randomUUID()}
mon host=[v2:${local}:${monitorPort}]
public addr=${local}
keyring=${folder}/keyring
osd pool default size=1
osd pool default min size=1
osd pool default pg num=4
osd pool default pgp num=4
osd crush chooseleaf type=0
mon allow pool size one=true
mon max pg per osd=1000
osd objectstore=memstore
memstore device bytes=4294967296
run dir=${folder}/run
log file=${folder}/log/$name.log
admin socket=${folder}/run/$name.$pid.asok
mon data=${folder}/mon
osd data=${folder}/osd
mgr data=${folder}/mgr
rgw data=${folder}/rgw
rgw frontends=beast endpoint=${local}:${port}
`

// Several machines

/** Starts all services for several Lectern servers. @param webPorts the future ports of the web servers. */
export async function startCluster(daemons: Daemons, webPorts: number[]) {
  const owner = 'lectern'
  const [gateway, database] = await Promise.all([startGateway(daemons), startDatabaseCluster(daemons, owner)])
  const pooler = await daemons.start('pgbouncer', pgbouncer(database.port, 10, owner))
  const checks = 'mode http\n  option httpchk GET /readyz\n  option httpclose\n  option forwardfor\n  option redispatch'
  const servers = webPorts.map((port) => ({ port }))
  const isListening = (port: number) => fetch(`http://${local}:${port}`)
  const front = await daemons.start(
    'haproxy-web',
    haproxy((port) => listen(port, checks, servers), isListening),
  )
  return {
    gateway,
    database,
    /** The port of PgBouncer for the owner of the database. */
    poolerPort: pooler.port,
    /** The port of HAProxy, which connects to a ready web server. */
    frontPort: front.port,
  }
}

// The services for `npm run test:full`

export type TestService = {
  /** The name, which is also that of the Vitest project. */
  name: string
  packages: string[]
  /** Starts services that the tests do not start themselves, and returns their environment variables. */
  start?(daemons: Daemons): Promise<Record<string, string>>
  /** Arguments for Playwright, if there are journeys with the service. */
  journeys?: string[]
}

/**
 * Starts the oldest supported PostgreSQL, behind PgBouncer with fewer connections than a server opens, so that they are
 * shared.
 */
async function startPostgres15(daemons: Daemons): Promise<Record<string, string>> {
  const { port } = await daemons.start('postgres', postgres)
  const pooler = await daemons.start('pgbouncer', pgbouncer(port, 4))
  return { TEST_DATABASE_URL: urlOf(port), TEST_POOLER_PORT: String(pooler.port) }
}

export const testServices: TestService[] = [
  {
    name: 's3',
    packages: cephPackages,
    start: async (daemons) => (await startGateway(daemons)).env,
    journeys: ['--project=desktop', '.s3.spec.ts'],
  },
  { name: 'postgres15', packages: postgresPackages, start: startPostgres15 },
  { name: 'clamav', packages: ['clamav-daemon'] },
  { name: 'prometheus', packages: ['prometheus'] },
  { name: 'proxies', packages: ['caddy', 'nginx-light', 'openssl', 'systemd', 'docker-compose'] },
]
