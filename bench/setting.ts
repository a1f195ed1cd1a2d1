import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { type ChildServer, startServer, stopChildren } from './child-server.ts'
import { type Filled, fillDatabase, findFilled } from './fill-database.ts'
import type { Run } from './markdown.ts'
import { makeScan } from './sample-pdf.ts'

/** A library of notes to be asked for: its database, its files, and who asks. */
export type Library = { databaseUrl: string; dataDir: string; filled: Filled; pdf: Buffer }

export type Setting = {
  run: Run
  noteCount: number
  /** `longMs`: for what only shows in the long run. */
  pace: { slices: number; sliceMs: number; laterStarts: number; longMs: number }
  /** What the names of the rows to be measured hold. */
  only: string
  /** A folder of our own. */
  work: string
  logFile: string
  serverEnv: Record<string, string>
  /** Progress goes beside the report, which alone is on stdout. */
  say(text: string): void
  openLibrary(): Promise<Library>
  /** @param flags of Node, besides those of `npm start`. */
  startServer(library: Library, flags?: string[]): Promise<{ server: ChildServer; idleBytes: number }>
  /** What is run at the end, before all that was given earlier. */
  atEnd(end: () => Promise<unknown>): void
  /** Ends what was started, in order, and removes what it wrote; also when we are interrupted. */
  cleanUp(): Promise<void>
}

/** A picture of so many pixels each way is a PDF of 1 MB. */
const scanSide = 591

/**
 * What runs have in common that put load on servers. `--library DIR` keeps the library there for another run, since
 * filling a large one takes minutes; `--only TEXT` measures the rows whose names hold it.
 */
export async function prepareRun(script: string): Promise<Setting> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      notes: { type: 'string' },
      library: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const noteCount = Number(values.notes ?? (values.quick ? 2_000 : 20_000))
  if (!Number.isInteger(noteCount) || noteCount < 100) throw new Error('--notes wants a whole number of at least 100')
  const command = [script, ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
  const run = { command, startedAt: new Date(), loadAtStart: loadavg()[0] ?? 0 }

  const log = pino({ level: 'warn' }, process.stderr)
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const ends: (() => Promise<unknown>)[] = []
  async function cleanUp() {
    await stopChildren()
    for (const end of ends.splice(0).reverse()) await end()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
  }

  const work = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  ends.push(() => rm(work, { recursive: true, force: true }))
  // PostgreSQL's own account has to pass where we are root.
  await chmod(work, 0o711)
  const folder = values.library ?? join(work, 'library')
  const logFile = join(work, 'server.log')
  const serverEnv = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }

  async function openLibrary(): Promise<Library> {
    await mkdir(folder, { recursive: true })
    await chmod(folder, 0o711)
    const database = await startEmbeddedDatabase({ dataDir: join(folder, 'database'), password: 'bench', log })
    ends.push(() => database.stop())
    await migrate(database.url, log)
    const { db } = openPool(database.url, 4, log)
    const [dataDir, pdf] = [join(folder, 'data'), await makeScan(scanSide)]
    const files = await openDiskStorage(join(dataDir, 'files'))
    try {
      const isFilled = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
      if (!isFilled) say(`Filling a database with ${noteCount} notes …`)
      const filled = isFilled ? await findFilled(db, pdf) : await fillDatabase(db, files, noteCount, pdf)
      return { databaseUrl: database.url, dataDir, filled, pdf }
    } finally {
      await db.destroy()
    }
  }

  async function startOnLibrary({ databaseUrl, dataDir }: Library, flags: string[] = []) {
    const env = { ...serverEnv, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
    const server = await startServer(env, logFile, flags)
    await delay(2_000)
    return { server, idleBytes: server.readMemory() }
  }

  return {
    run,
    noteCount,
    pace: values.quick
      ? { slices: 2, sliceMs: 500, laterStarts: 1, longMs: 60_000 }
      : { slices: 6, sliceMs: 1_700, laterStarts: 3, longMs: 3_600_000 },
    only: values.only,
    work,
    logFile,
    serverEnv,
    say,
    openLibrary,
    startServer: startOnLibrary,
    atEnd: (end) => void ends.push(end),
    cleanUp,
  }
}
