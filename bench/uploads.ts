import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import { type ChildServer, startChild, startServer, stopChildren } from './child-server.ts'
import { benchEmails, benchPassword, fillDatabase } from './fill-database.ts'
import type { Traffic, TrafficResult } from './upload-clients.ts'

/** `npm run bench:uploads`: what 40 large uploads at once, half of them given up, cost the server and somebody who reads. */

const idleSeconds = 10
const mebibyte = 2 ** 20
const fileBytes = 25 * mebibyte
/** What a network lets through, and more than the server can take. */
const paces = [
  ['10 Mbit/s each', 10e6 / 8],
  ['1 Gbit/s each', 1e9 / 8],
] as const
const log = pino({ level: 'warn' }, process.stderr)
const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(work, 0o711)
const database = await startEmbeddedDatabase({ dataDir: join(work, 'database'), password: 'bench', log })

try {
  await migrate(database.url, log)
  const { db } = openPool(database.url, 4, log)
  const dataDir = join(work, 'data')
  await fillDatabase(db, await openDiskStorage(join(dataDir, 'files')), 2_000, onePagePdf)
  await db.destroy()
  const secret = 'a secret of the benchmarks, long enough'
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: secret, DATABASE_URL: database.url, DATA_DIR: dataDir }
  const discard = await startChild(
    'bench/discard-server.ts',
    {},
    { readyPath: '/', logFile: join(work, 'discard.log') },
  )
  const rows: string[] = []
  for (const [name, bytesPerSecondEach] of paces) {
    // A server of its own for each, since memory that was taken once is kept for a while.
    const server = await startServer(env, join(work, 'server.log'))
    rows.push(...(await measure(server, discard, name, bytesPerSecondEach)))
    await server.stop()
  }
  process.stdout.write(
    [
      `Load of the machine: ${loadavg()[0]?.toFixed(1)}`,
      '| Clients | Uploads took | Answers | Memory | Reader: | alone | uploads | ratio | discarded | ratio |',
      '| --- | ---: | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |',
      ...rows,
      '',
    ].join('\n'),
  )
} finally {
  await stopChildren()
  await database.stop()
  await rm(work, { recursive: true, force: true })
}

async function measure(server: ChildServer, discard: ChildServer, name: string, bytesPerSecondEach: number) {
  const accessTokens: string[] = []
  for (const email of benchEmails) accessTokens.push(await logIn(server.origin, email))
  const [reader = ''] = accessTokens
  const clients = startClients()
  await read(server, reader, delay(3_000))

  const alone = await read(server, reader, delay(idleSeconds * 1000))
  const traffic = { origin: server.origin, accessTokens, fileBytes, bytesPerSecondEach }
  const [{ outcomes, seconds }, uploads] = await readBeside(server, reader, clients.send(traffic))
  await delay(2_000)
  // The same traffic at the pace at which the server took it.
  const paced = { ...traffic, origin: discard.origin, bytesPerSecondEach: fileBytes / seconds }
  const [, discarded] = await readBeside(server, reader, clients.send(paced))
  clients.end()

  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`)
  const memory = [alone.peakBytes, uploads.peakBytes]
    .map((bytes) => `${Math.round(bytes / mebibyte)} MB`)
    .join(', then ')
  const common = [name, `${seconds.toFixed(1)} s`, counts.join(', '), memory]
  return (['p50Ms', 'p99Ms'] as const).map((key) => {
    const ratio = (base: number) => (uploads[key] / base).toFixed(1)
    const cells = [ms(alone[key]), ms(uploads[key]), ratio(alone[key]), ms(discarded[key]), ratio(discarded[key])]
    return `| ${[...common, key.slice(0, 3), ...cells].join(' | ')} |`
  })
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function startClients() {
  const child = fork(fileURLToPath(new URL('./upload-clients.ts', import.meta.url)))
  const ended = once(child, 'exit').then((): never => {
    throw new Error('The clients ended before they were done')
  })
  return {
    async send(traffic: Traffic): Promise<TrafficResult> {
      child.send(traffic)
      const [result] = await Promise.race([once(child, 'message'), ended])
      return result
    },
    end() {
      ended.catch(() => {})
      child.disconnect()
    },
  }
}

async function readBeside<T>(server: ChildServer, accessToken: string, traffic: Promise<T>) {
  return Promise.all([traffic, read(server, accessToken, traffic)])
}

async function logIn(origin: string, email: string): Promise<string> {
  const response = await fetch(`${origin}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: benchPassword }),
  })
  return ((await response.json()) as { accessToken: string }).accessToken
}

/** Reads the first page of notes, again and again with a short rest, until the promise resolves. */
async function read(server: ChildServer, accessToken: string, until: Promise<unknown>) {
  const latenciesMs: number[] = []
  let peakBytes = 0
  let isOver = false
  until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const startedAt = performance.now()
    const response = await fetch(`${server.origin}/api/notes`, { headers: { authorization: `Bearer ${accessToken}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The reader was answered ${response.status}`)
    latenciesMs.push(performance.now() - startedAt)
    peakBytes = Math.max(peakBytes, server.readMemory())
    await delay(5)
  }
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
  return { p50Ms: at(0.5), p99Ms: at(0.99), peakBytes, requests: latenciesMs.length }
}
