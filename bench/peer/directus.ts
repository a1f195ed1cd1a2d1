import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type ChildServer, runChild, startChild } from '../child-server.ts'
import { benchEmails, benchPassword } from '../fill-database.ts'
import { installOnce } from '../install-once.ts'
import type { Tokens } from '../rows.ts'
import type { Library, Setting } from '../setting.ts'
import { defineCollections } from './collections.ts'
import { copyRows, emailSuffix } from './copy-rows.ts'

export type Peer = { server: ChildServer; idleBytes: number; tokens: Tokens; fileId: string }

const folder = fileURLToPath(new URL('.', import.meta.url))
const api = 'bench/peer/node_modules/@directus/api/dist'
const databaseName = 'peer'
const admin = {
  email: 'admin@example.com',
  password: 'Marigold desk 43!',
  token: 'token-of-the-benchmarks',
}

/** Installs Directus where it is missing and starts it over a copy of the library, which goes at the end. */
export async function startPeer(setting: Setting, library: Library): Promise<Peer> {
  const { work, logFile, say } = setting
  installOnce(folder, 'Directus', say)
  const cwd = join(work, 'peer')
  await mkdir(join(cwd, 'uploads'), { recursive: true })
  const databaseUrl = await createDatabase(setting, library)
  const [env, options] = [envOf(databaseUrl), { node: findNode(), cwd, logFile }]
  const start = () => startChild(`${api}/start.js`, env, { ...options, readyPath: '/server/ping' })
  say('Making the tables of Directus …')
  await runChild([`${api}/cli/run.js`, 'bootstrap'], env, options)
  const first = await start()
  const studentRoleId = await defineCollections((path, body) => post(first.origin, path, body, admin.token))
  await first.stop()
  say('Copying the library …')
  const { fileId, fileKey } = await copyRows(library, databaseUrl, studentRoleId)
  await copyFile(join(library.dataDir, 'files', fileKey.slice(0, 2), fileKey), join(cwd, 'uploads', fileKey))
  const server = await start()
  await delay(2_000)
  const idleBytes = server.readMemory()
  const [reader, heavy] = [await logIn(server.origin, 0), await logIn(server.origin, 1)]
  // It holds up nobody for what one student asks.
  const tokens = { reader, heavy, crowd: [reader] }
  return { server, idleBytes, tokens, fileId }
}

/** One of its own beside Lectern's, on the same PostgreSQL. */
async function createDatabase({ atEnd }: Setting, library: Library): Promise<string> {
  const run = async (statement: string) => {
    const client = new pg.Client(library.databaseUrl)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  const drop = () => run(`DROP DATABASE IF EXISTS ${databaseName} WITH (FORCE)`)
  await drop()
  atEnd(drop)
  await run(`CREATE DATABASE ${databaseName}`)
  // With ten connections on few processors, helpers of one statement are taken from the others, as Lectern has it too.
  await run(`ALTER DATABASE ${databaseName} SET max_parallel_workers_per_gather = 0`)
  const url = new URL(library.databaseUrl)
  url.pathname = `/${databaseName}`
  return url.href
}

/** As it is run in production, with what no other server here has left off. */
function envOf(databaseUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://127.0.0.1',
    SECRET: 'a secret of the benchmarks, long enough',
    LOG_LEVEL: 'warn',
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    DB_POOL__MAX: '10',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    ADMIN_TOKEN: admin.token,
    SERVE_APP: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    // It refuses what a full load brings.
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
    // Of 15 minutes, which a run may take.
    ACCESS_TOKEN_TTL: '1d',
  }
}

/** The Node that it runs on, of the package for this machine. */
function findNode(): string {
  const require = createRequire(import.meta.url)
  const platform = process.platform === 'win32' ? 'win' : process.platform
  for (const prefix of ['node', 'node-bin']) {
    try {
      const manifest = require.resolve(`${prefix}-${platform}-${process.arch}/package.json`)
      return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    } catch {
      // The other name, or none for this machine.
    }
  }
  throw new Error(`There is no Node 22 from npm for ${platform}-${process.arch}`)
}

async function logIn(origin: string, student: number): Promise<string> {
  const login = { email: `${benchEmails[student]}${emailSuffix}`, password: benchPassword }
  const { access_token } = await post<{ access_token: string }>(origin, '/auth/login', login)
  return access_token
}

async function post<T>(origin: string, path: string, body: unknown, token?: string): Promise<T> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Directus refused ${path}: ${await response.text()}`)
  const { data } = (await response.json()) as { data: T }
  return data
}
