import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { measureBundle } from '../tools/bundle-sizes.ts'
import { startChild, stopChildren } from './child-server.ts'
import { compareRoutes } from './compare-routes.ts'
import { type Filled, fillDatabase, findFilled } from './fill-database.ts'
import { type Report, writeReport } from './report.ts'
import { makeScan } from './sample-pdf.ts'

/**
 * `npm run bench`: figures of the server beside a floor and bare routes, in one run. `--library DIR` keeps the library there
 * for another run, since filling a large one takes minutes; `--only TEXT` measures the rows whose names hold it. See
 * docs/benchmarks.md.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    notes: { type: 'string' },
    library: { type: 'string' },
    only: { type: 'string' },
  },
})
const pace = values.quick ? { slices: 2, sliceMs: 500, laterStarts: 1 } : { slices: 6, sliceMs: 1_700, laterStarts: 3 }
/** A picture of so many pixels each way is a PDF of 1 MB. */
const scanSide = 591
const noteCount = Number(values.notes ?? (values.quick ? 2_000 : 20_000))
if (!Number.isInteger(noteCount) || noteCount < 100) throw new Error('--notes wants a whole number of at least 100')

const log = pino({ level: 'warn' }, process.stderr)
/** Progress goes beside the report, which alone is on stdout. */
const say = (text: string) => process.stderr.write(`${text}\n`)
const serverEnv = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }

const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(work, 0o711)
const logFile = join(work, 'server.log')
const library = values.library ?? join(work, 'library')
await mkdir(library, { recursive: true })
await chmod(library, 0o711)
let database: EmbeddedDatabase | null = null

/** Ends what was started, in order, and removes what it wrote. */
async function cleanUp(): Promise<void> {
  await stopChildren()
  await database?.stop()
  await rm(work, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

async function measureStarts(): Promise<Pick<Report, 'freshStartMs' | 'laterStartsMs'>> {
  const env = { ...serverEnv, DATA_DIR: join(work, 'starts') }
  const times: number[] = []
  for (let i = 0; i <= pace.laterStarts; i++) {
    const server = await startChild('server/main.ts', env, { readyPath: '/readyz', logFile })
    times.push(server.readyMs)
    await server.stop()
  }
  const [freshStartMs = Number.NaN, ...laterStartsMs] = times
  return { freshStartMs, laterStartsMs }
}

async function openLibrary(databaseUrl: string, pdf: Buffer): Promise<Filled> {
  await migrate(databaseUrl, log)
  const { db } = openPool(databaseUrl, 4, log)
  const files = await openDiskStorage(join(library, 'data', 'files'))
  try {
    if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return await findFilled(db, pdf)
    say(`Filling a database with ${noteCount} notes …`)
    return await fillDatabase(db, files, noteCount, pdf)
  } finally {
    await db.destroy()
  }
}

async function measureRequests(): Promise<Pick<Report, 'comparisons' | 'idleBytes'>> {
  database = await startEmbeddedDatabase({ dataDir: join(library, 'database'), password: 'bench', log })
  const databaseUrl = database.url
  const pdf = await makeScan(scanSide)
  const filled = await openLibrary(databaseUrl, pdf)
  const dataDir = join(library, 'data')

  const env = { ...serverEnv, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const server = await startChild('server/main.ts', env, { readyPath: '/readyz', logFile })
  await delay(2_000)
  const idleBytes = server.readMemory()
  const setting = { server, databaseUrl, dataDir, work, logFile, filled, pdf, pace, say, only: values.only ?? '' }
  return { comparisons: await compareRoutes(setting), idleBytes }
}

try {
  const startedAt = new Date()
  const loadAtStart = loadavg()[0] ?? 0
  say('Starting the server a few times …')
  const starts = await measureStarts()
  const requests = await measureRequests()
  const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
  const bundle = measureBundle()
  process.stdout.write(
    writeReport({ command, startedAt, loadAtStart, notes: noteCount, ...starts, ...requests, bundle }),
  )
} finally {
  await cleanUp()
}
