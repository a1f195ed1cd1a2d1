import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import { type ChildServer, startChild, stopChildren } from './child-server.ts'
import { benchEmails, benchPassword, fillDatabase } from './fill-database.ts'

/** `npm run bench:uploads`: what 40 large uploads at once, half of them given up, cost the server and somebody who reads. */

const idleSeconds = 10
const mebibyte = 2 ** 20
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
  const server = await startChild('server/main.ts', env, { readyPath: '/readyz', logFile: join(work, 'server.log') })
  process.stdout.write(await report(server))
} finally {
  await stopChildren()
  await database.stop()
  await rm(work, { recursive: true, force: true })
}

async function report(server: ChildServer): Promise<string> {
  const accessTokens: string[] = []
  for (const email of benchEmails) accessTokens.push(await logIn(server.origin, email))
  const [reader = ''] = accessTokens
  await read(server, reader, delay(2_000))
  const before = await read(server, reader, delay(idleSeconds * 1000))

  const clients = new Worker(new URL('./upload-clients.ts', import.meta.url), {
    workerData: { origin: server.origin, accessTokens },
  })
  const [during, [outcomes]] = await Promise.all([
    read(server, reader, once(clients, 'message')),
    once(clients, 'message'),
  ])
  await delay(2_000)

  const ms = (value: number) => `${value.toFixed(1)} ms`
  const mb = (bytes: number) => `${Math.round(bytes / mebibyte)} MB`
  return [
    `${accessTokens.length} uploads of 25 MB at once, half given up (load of the machine: ${loadavg()[0]?.toFixed(1)})`,
    `Answers: ${JSON.stringify(outcomes)}`,
    `Memory of the server: ${mb(before.peakBytes)} idle, ${mb(during.peakBytes)} at most, ${mb(server.readMemory())} after;` +
      ` ${mb(during.peakBytes - before.peakBytes)} more than idle (goal: 150 MB)`,
    `A reader's page of notes: p50 ${ms(before.p50Ms)}, then ${ms(during.p50Ms)}; p99 ${ms(before.p99Ms)}, then ${ms(during.p99Ms)}:` +
      ` ${(during.p99Ms / before.p99Ms).toFixed(1)} times (goal: 2), in ${during.requests} requests`,
    '',
  ].join('\n')
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
