import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { roleSettings } from '../../server/db/transaction-settings.ts'
import { findFreePort } from '../../server/free-port.ts'
import { type Daemons, postgresAccount, until } from './daemons.ts'

/** Of Debian 12. */
export const postgresFolder = '/usr/lib/postgresql/15/bin'
export const postgresPackages = { [join(postgresFolder, 'postgres')]: 'postgresql-15', pgbouncer: 'pgbouncer' }
/** Whoever reaches the port of a test may do anything there. */
export const superuser = 'postgres'
export const password = 'only-for-tests'

/** A folder that PostgreSQL's account may write to. */
export async function makeFolder(daemons: Daemons, name: string): Promise<string> {
  const folder = join(daemons.folder, name)
  await chmod(daemons.folder, 0o711)
  await mkdir(folder)
  const { uid, gid } = postgresAccount()
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  return folder
}

export const urlOf = (port: number, database = 'postgres') =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`

/** Debian's PostgreSQL, with nothing in it. @returns its URL. */
export async function startPostgres(daemons: Daemons): Promise<{ url: string; port: number }> {
  const [folder, port, as] = [await makeFolder(daemons, 'postgres'), await findFreePort('127.0.0.1'), postgresAccount()]
  const data = join(folder, 'data')
  const args = ['-D', data, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync']
  await promisify(execFile)(join(postgresFolder, 'initdb'), args, { ...as, cwd: '/' })
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '500',
    fsync: 'off',
    ...roleSettings,
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  daemons.start('postgres', join(postgresFolder, 'postgres'), ['-D', data, ...given], { as })
  const url = urlOf(port)
  await until('PostgreSQL answers', () => canConnect(url))
  return { url, port }
}

/** Debian's PgBouncer in transaction mode, as its package comes, before every database of a server. @returns its port. */
export async function startPgbouncer(
  daemons: Daemons,
  postgresPort: number,
  poolSize: number,
  user = superuser,
): Promise<number> {
  const name = `pgbouncer-${user}`
  const [folder, port] = [await makeFolder(daemons, name), await findFreePort('127.0.0.1')]
  const conf = join(folder, 'pgbouncer.ini')
  await writeFile(
    conf,
    `[databases]
* = host=127.0.0.1 port=${postgresPort} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${poolSize}
server_idle_timeout = 10
server_login_retry = 1
`,
  )
  daemons.start(name, 'pgbouncer', [conf], { as: postgresAccount() })
  await until('PgBouncer answers', () => canConnect(urlOf(port)))
  return port
}

export async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query('SELECT 1')).rowCount === 1
  } finally {
    await client.end().catch(() => {})
  }
}
