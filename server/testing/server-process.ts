import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { deriveSecret } from '../platform/db/secret.ts'
import { superuser } from '../platform/embedded-postgres/cluster.ts'
import { makeDataFolder, removeDataFolder } from './data-folder.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const main = join(root, 'server', 'main.ts')
const admin = join(root, 'server', 'operations', 'admin.ts')
const startTimeoutMs = 120_000
const mailTimeoutMs = 60_000

/** A running server, started by this process or another one. */
export type Instance = {
  url: string
  dataDir: string
  /** Waits for a mail to the address and returns the link in the newest one. */
  readMailedLink(to: string): Promise<string>
  databaseUrl(): Promise<string>
  connectToDatabase(): Promise<pg.Client>
}

export type ServerProcess = Instance & {
  process: ChildProcess
  /** Additional variables, needed for a restart. */
  env: Record<string, string>
  /** Returns the printed output. */
  output(): string
  /** Stops the server gracefully and removes its files. */
  stop(): Promise<void>
  /** Stops the server gracefully and keeps its files, for a restart on `dataDir`. */
  interrupt(): Promise<void>
  /** Kills the process as a power cut does, without its handlers. Its files stay, for a restart on `dataDir`. */
  kill(): Promise<void>
}

type Options = {
  env?: Record<string, string>
  /** Starts the server by an npm script, in its own process group. */
  byNpm?: 'start' | 'demo'
  /** The `lectern` command of an installed package, instead of the sources. */
  installed?: string
}

/**
 * Starts the real server in a separate process.
 * @param dataDir the folder of an earlier server; by default a new folder.
 */
export async function startServerProcess(dataDir?: string, { env = {}, byNpm, installed }: Options = {}) {
  const folder = dataDir ?? (await makeDataFolder())
  // The pre-script of the demo would build the pages, which are not needed here.
  const own: [string, string[]] = installed ? [installed, ['start']] : [process.execPath, [main]]
  const [command, args] = byNpm ? ['npm', ['run', byNpm, '--ignore-scripts']] : own
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: folder,
      RATE_LIMIT: 'off',
      // A busy machine makes any query slow, and tests expect no warnings.
      SLOW_QUERY_MS: '0',
      OCR: 'off',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'test',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: byNpm !== undefined,
  })
  const exited = once(child, 'exit')
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const url = await waitFor(startTimeoutMs, 'Lectern did not start', async () => {
    if (child.exitCode !== null) throw new Error('Lectern ended at its start')
    return /(?:running at|Health check:) (https?:\/\/[^\s/]*\w)/.exec(output)?.[1]
  }).catch((error) => {
    child.kill('SIGKILL')
    throw new Error(`${error.message}:\n${output}`)
  })

  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  const server: ServerProcess = {
    ...findInstance(url, folder),
    process: child,
    env,
    output: () => output,
    stop: () => end('SIGTERM').then(() => removeDataFolder(folder)),
    interrupt: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
  return server
}

/** Starts a `lectern admin` command. The result rejects with what was printed unless the command succeeds. */
export function startAdmin(args: string[], given: Record<string, string>) {
  const env = { ...process.env, NODE_ENV: 'test', ...given }
  return promisify(execFile)(process.execPath, [admin, ...args], { env, encoding: 'buffer', maxBuffer: 2 ** 30 })
}

/** Runs a `lectern admin` command. @returns everything that it printed. */
export async function runAdmin(args: string[], env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await startAdmin(args, env)
  return `${stderr}${stdout}`
}

/** @param dataDir the folder with the server's secret, mails and embedded PostgreSQL. */
export const findInstance = (url: string, dataDir: string): Instance => ({
  url,
  dataDir,
  readMailedLink: (to) =>
    waitFor(mailTimeoutMs, `No mail came to ${to}`, () => findMailedLink(join(dataDir, 'outbox'), to)),
  databaseUrl: () => readDatabaseUrl(dataDir),
  async connectToDatabase() {
    const client = new pg.Client({ connectionString: await readDatabaseUrl(dataDir) })
    await client.connect()
    return client
  },
})

async function readDatabaseUrl(dataDir: string): Promise<string> {
  const [, , , port] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const password = deriveSecret(await readFile(join(dataDir, 'secret'), 'utf8'), 'postgres')
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/lectern`
}

async function findMailedLink(outbox: string, to: string): Promise<string | undefined> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.reverse()) {
    const mail = await readFile(join(outbox, name), 'utf8')
    // The header has the plain link; in the text it is encoded and split over two lines.
    if (mail.includes(`To: ${to}`)) return /^X-Lectern-Link:\s+(\S+)/m.exec(mail)?.[1]
  }
}

async function waitFor<T>(timeoutMs: number, what: string, find: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const found = await find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} within ${timeoutMs / 1000} s`)
}
