import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { roleSettings } from '../../server/db/transaction-settings.ts'
import { findFreePort } from '../../server/free-port.ts'
import { type Daemon, type Daemons, postgresAccount, until } from '../debian/daemons.ts'
import { makeFolder, password, postgresFolder, superuser, urlOf } from '../debian/postgres.ts'

/** One of two: a PostgreSQL under its Patroni, with one of the three etcd. */
type Machine = { name: string; port: number; restPort: number; etcd: Etcd; patroni: Daemon }
type Etcd = { name: string; clientPort: number; peerPort: number; folder: string; daemon: Daemon }

export type Database = {
  /** Where HAProxy leads to the primary, and to the other one. */
  port: number
  /** Where it leads to the one that follows. */
  replicaPort: number
  isPrimary(name: string): Promise<boolean>
  findPrimary(): Promise<string>
  /** As when the machine loses its power: PostgreSQL, Patroni and etcd at once. */
  killMachine(name: string): Promise<void>
  startMachine(name: string): Promise<void>
  /** Until the other one has all that the primary acknowledges. */
  untilSynchronous(): Promise<void>
}

export const user = 'lectern'
export const clusterPackages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', nginx: 'nginx-light' }

const local = '127.0.0.1'
/** What Patroni's lease lasts. A primary that is gone is missed no sooner. */
const leaseSeconds = 8

/** Two PostgreSQL, each with what the other has, under Patroni over three etcd; HAProxy leads to the primary. */
export async function startDatabase(daemons: Daemons): Promise<Database> {
  const etcds = await startEtcds(daemons)
  const machines: Machine[] = []
  for (const [index, name] of ['postgres-1', 'postgres-2'].entries()) {
    const etcd = etcds[index] as Etcd
    const [port, restPort] = [await findFreePort(local), await findFreePort(local)]
    await makeFolder(daemons, name)
    const conf = join(daemons.folder, `${name}.yml`)
    await writeFile(conf, patroniConfig(daemons.folder, { name, port, restPort }, etcds))
    machines.push({ name, port, restPort, etcd, patroni: startPatroni(daemons, name) })
  }
  const { port, replicaPort } = await startHaproxy(daemons, machines)

  const ask = async ({ restPort }: Machine, path: string) =>
    (await fetch(`http://${local}:${restPort}${path}`).catch(() => null))?.status === 200
  const find = (name: string) => machines.find((machine) => machine.name === name) as Machine
  const untilSynchronous = () =>
    until('One PostgreSQL follows the other synchronously', async () => {
      const found = await Promise.all(machines.map((machine) => ask(machine, '/synchronous')))
      return found.includes(true)
    }).then(() => {})

  await untilSynchronous()
  await createOwner(port)
  return {
    port,
    replicaPort,
    isPrimary: (name) => ask(find(name), '/primary'),
    findPrimary: () =>
      until('There is a primary', async () => {
        for (const machine of machines) if (await ask(machine, '/primary')) return machine.name
      }),
    async killMachine(name) {
      const machine = find(name)
      const [pid] = (await readFile(join(daemons.folder, name, 'data', 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      await Promise.all([machine.patroni.end('SIGKILL'), machine.etcd.daemon.end('SIGKILL')])
    },
    async startMachine(name) {
      const machine = find(name)
      machine.etcd.daemon = startEtcd(daemons, machine.etcd, etcds)
      machine.patroni = startPatroni(daemons, name)
      await until(`${name} follows`, () => ask(machine, '/replica'))
    },
    untilSynchronous,
  }
}

async function startEtcds(daemons: Daemons): Promise<Etcd[]> {
  const etcds: Omit<Etcd, 'daemon'>[] = []
  for (const name of ['etcd-1', 'etcd-2', 'etcd-3']) {
    const [clientPort, peerPort] = [await findFreePort(local), await findFreePort(local)]
    etcds.push({ name, clientPort, peerPort, folder: await makeFolder(daemons, name) })
  }
  return etcds.map((etcd) => ({ ...etcd, daemon: startEtcd(daemons, etcd, etcds) }))
}

function startEtcd(daemons: Daemons, etcd: Omit<Etcd, 'daemon'>, all: Omit<Etcd, 'daemon'>[]): Daemon {
  const [client, peer] = [`http://${local}:${etcd.clientPort}`, `http://${local}:${etcd.peerPort}`]
  const members = all.map(({ name, peerPort }) => `${name}=http://${local}:${peerPort}`).join()
  const args = {
    name: etcd.name,
    'data-dir': join(etcd.folder, 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': members,
  }
  const given = Object.entries(args).flatMap(([name, value]) => [`--${name}`, value])
  return daemons.start(etcd.name, 'etcd', given, { as: postgresAccount() })
}

/** What it starts is its own: PostgreSQL is ended by it when it is told to end. */
const startPatroni = (daemons: Daemons, name: string): Daemon =>
  daemons.start(`patroni-${name}`, 'patroni', [join(daemons.folder, `${name}.yml`)], { as: postgresAccount() })

const patroniConfig = (
  folder: string,
  { name, port, restPort }: Pick<Machine, 'name' | 'port' | 'restPort'>,
  etcds: Etcd[],
) => `scope: lectern
name: ${name}
restapi: { listen: "${local}:${restPort}", connect_address: "${local}:${restPort}" }
etcd3: { hosts: [${etcds.map(({ clientPort }) => `"${local}:${clientPort}"`).join(', ')}] }
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
  data_dir: "${join(folder, name, 'data')}"
  bin_dir: "${postgresFolder}"
  pgpass: "${join(folder, name, 'pgpass')}"
  authentication:
    superuser: { username: ${superuser}, password: ${password} }
    replication: { username: replicator, password: ${password} }
    rewind: { username: rewind, password: ${password} }
  parameters: ${JSON.stringify({ unix_socket_directories: join(folder, name), ...roleSettings })}
`

async function startHaproxy(daemons: Daemons, machines: Machine[]): Promise<{ port: number; replicaPort: number }> {
  const [port, replicaPort] = [await findFreePort(local), await findFreePort(local)]
  const servers = machines.map((at) => `  server ${at.name} ${local}:${at.port} check port ${at.restPort}`)
  const conf = join(daemons.folder, 'haproxy.cfg')
  await writeFile(
    conf,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind ${local}:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
listen replica
  bind ${local}:${replicaPort}
  option httpchk OPTIONS /replica
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  daemons.start('haproxy', 'haproxy', ['-db', '-f', conf])
  return { port, replicaPort }
}

async function createOwner(port: number): Promise<void> {
  const client = await until('HAProxy leads to the primary', async () => {
    const opened = new pg.Client({ connectionString: urlOf(port), connectionTimeoutMillis: 5_000 })
    opened.on('error', () => {})
    await opened.connect()
    return opened
  })
  await client.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
  await client.query(`CREATE DATABASE ${user} OWNER ${user}`)
  await client.end()
}
