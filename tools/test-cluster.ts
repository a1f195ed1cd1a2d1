import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { findFreePort } from '../server/free-port.ts'
import { startCrowd } from './cluster/crowd.ts'
import { goThrough, join } from './cluster/journey.ts'
import { prepareServer, startFront } from './cluster/lectern.ts'
import { clusterPackages, startDatabase, user } from './cluster/patroni.ts'
import { describeMachine, type Row, writeReport } from './cluster/report.ts'
import {
  fillStore,
  killPrimary,
  killServer,
  killWorker,
  readLists,
  type Seen,
  type Stage,
  upgrade,
} from './cluster/scenes.ts'
import { openBook } from './cluster/student.ts'
import { installCeph, startGateway } from './debian/ceph.ts'
import { openDaemons } from './debian/daemons.ts'
import { installPackages } from './debian/install.ts'
import { password, postgresPackages, startPgbouncer, urlOf } from './debian/postgres.ts'
import { runTests } from './run-tests.ts'

/**
 * `npm run test:cluster`: Lectern past one machine, on this one, from Debian's packages. Two web servers and two workers behind
 * nginx, with their database behind PgBouncer, HAProxy and Patroni, and their files in a Ceph. Things are killed while a crowd
 * writes down what is acknowledged; in the end the book is compared. Writes test-results/cluster.md.
 */
const report = fileURLToPath(new URL('../test-results/cluster.md', import.meta.url))
const suiteResults = fileURLToPath(new URL('../test-results/cluster.json', import.meta.url))
const crowdSize = 6
const ends: (() => Promise<void>)[] = []
const say = (text: string) => void process.stdout.write(`${text}\n`)

async function endAll(): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(1)))
}

async function makeBucket(endpoint: string, accessKeyId: string, secretAccessKey: string) {
  const [region, Bucket] = ['us-east-1', 'lectern-cluster']
  const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
  return {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: Bucket,
    S3_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  }
}

async function openStage() {
  installPackages({ ...postgresPackages, ...clusterPackages })
  installCeph()
  const store = await startGateway()
  ends.push(store.stop)
  const daemons = await openDaemons('lectern-cluster-')
  ends.push(daemons.stop)
  const database = await startDatabase(daemons)
  const pooler = await startPgbouncer(daemons, database.port, 10, user)
  say('Ceph, etcd, Patroni, HAProxy and PgBouncer answer.')

  const port = await findFreePort('127.0.0.1')
  const env = {
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${pooler}/${user}`,
    DATABASE_PREPARED: 'off',
    DATABASE_REPLICA_URL: `postgres://${user}:${password}@127.0.0.1:${database.replicaPort}/${user}`,
    DATABASE_DIRECT_URL: `postgres://${user}:${password}@127.0.0.1:${database.port}/${user}`,
    ...(await makeBucket(store.endpoint, store.accessKeyId, store.secretAccessKey)),
    SECRET: randomBytes(32).toString('hex'),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT: 'off',
    RECOGNITION: 'off',
    LOG_LEVEL: 'info',
    NODE_ENV: 'test',
  }
  const prepare = (name: string, role: 'web' | 'worker') => prepareServer(daemons, name, role, env)
  const webs = [await prepare('web-1', 'web'), await prepare('web-2', 'web')]
  const workers = [await prepare('worker-1', 'worker'), await prepare('worker-2', 'worker')]
  for (const server of [...webs, ...workers]) await server.start()
  const front = await startFront(daemons, port, webs)
  say(`Two servers and two workers are ready behind ${front.url}.`)

  async function askDatabase(text: string, values: unknown[] = []): Promise<unknown> {
    const client = new pg.Client({ connectionString: urlOf(database.port, user) })
    await client.connect()
    const { rows } = await client.query({ text, values, rowMode: 'array' }).finally(() => client.end())
    return rows[0]?.[0]
  }
  const book = openBook()
  const suite = {
    TEST_DATABASE_URL: urlOf(database.port),
    TEST_POOLER_PORT: String(await startPgbouncer(daemons, database.port, 4)),
    TEST_S3_ENDPOINT: store.endpoint,
    TEST_S3_ACCESS_KEY_ID: store.accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: store.secretAccessKey,
    TEST_FRONT_PORT: String(front.suitePort),
  }
  return { stage: { book, front, webs, workers, database, store, askDatabase }, daemons, env, suite }
}

const scenes: [what: string, play: (stage: Stage) => Promise<Seen>][] = [
  ['Lists are read from the replica', readLists],
  ['A server is killed', killServer],
  ['The primary’s machine is killed', killPrimary],
  ['… and again from the one that follows now', readLists],
  ['A worker is killed', killWorker],
  ['The store is full, and heals', fillStore],
  ['Every process is replaced', upgrade],
]

/** What was acknowledged is there, and nothing that was acknowledged to be gone. */
async function compareBook({ book, students, askDatabase }: Stage): Promise<Seen> {
  const [student] = students
  const faults: string[] = []
  for (const [id, { isThere }] of book.notes) {
    if (isThere !== null && (await student?.compare(id)) !== true) faults.push(`Not as acknowledged: note ${id}`)
  }
  const liked = new Set(
    (await askDatabase(
      `SELECT coalesce(json_agg(note_id || ' ' || email), '[]') FROM ratings r JOIN users u ON u.id = r.user_id`,
    )) as string[],
  )
  const sure = [...book.likes].filter(
    ([key, isLiked]) => isLiked && book.notes.get(key.split(' ')[0] ?? '')?.isThere === true,
  )
  for (const [key] of sure) if (!liked.has(key)) faults.push(`Not as acknowledged: the like ${key}`)
  const wrong = book.attempts.filter(({ outcome }) => outcome === 'wrong')
  for (const answer of new Set(wrong.map(({ what, status }) => `Answered ${status}: ${what}.`))) faults.push(answer)
  return {
    facts: [
      `${book.attempts.length} requests; ${book.notes.size} notes and ${sure.length} likes that were acknowledged, each compared.`,
      `${wrong.filter(({ status }) => status === 401).length} times somebody was logged out.`,
    ],
    faults,
  }
}

/** Each file of tests has a Lectern and a database of its own, on the PostgreSQL, PgBouncer and Ceph of the cluster. */
async function runSuite(env: Record<string, string>): Promise<Seen> {
  const isWell = await runTests(
    env,
    'vitest',
    'run',
    '--project',
    'cluster',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=test-results/cluster.json',
  )
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(await readFile(suiteResults, 'utf8'))
  return {
    facts: [`${numPassedTests} of ${numTotalTests} tests of ${testResults.length} files passed.`],
    faults: isWell ? [] : ['Tests of the API failed'],
  }
}

async function play(): Promise<Row[]> {
  const { stage: set, daemons, env, suite } = await openStage()
  const { book, front } = set
  const students = []
  for (let n = 0; n < crowdSize; n++) students.push(await join(daemons, front.url, `student${n}`, book))
  const stage: Stage = { ...set, students }
  const rows: Row[] = []
  const add = (what: string, seen: Seen) => {
    rows.push({ what, ...seen })
    for (const line of [`${seen.faults.length ? '✗' : '✓'} ${what}`, ...seen.facts, ...seen.faults]) say(line)
  }
  const [author, reader] = students
  if (author && reader)
    add('A student’s way through all of it', {
      facts: [`${(await goThrough(author, reader, book)).join('; ')}.`],
      faults: [],
    })
  add('The tests of the API, through nginx', await runSuite(suite))
  const crowd = startCrowd(students, book)
  for (const [what, scene] of scenes) add(what, await scene(stage))
  await crowd.stop()
  add('The book', await compareBook(stage).then((seen) => ({ ...seen, faults: [...seen.faults, ...crowd.faults] })))
  const isWhole = await runTests({ ...env, DATA_DIR: daemons.folder }, 'node', 'tools/admin.ts', 'verify')
  add('Every file by its hash (`lectern admin verify`)', {
    facts: [],
    faults: isWhole ? [] : ['Files are not as they should be'],
  })
  return rows
}

try {
  const rows = await play()
  await writeFile(report, writeReport(rows, await describeMachine()))
  process.exitCode = rows.some(({ faults }) => faults.length > 0) ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  await endAll()
}
