import { access, chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Client } from 'autocannon'
import pg from 'pg'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { startChild, stopChildren } from './child-server.ts'
import { logIn } from './compare-routes.ts'
import { fillDatabase } from './fill-database.ts'
import { fillPages, makeSearchable, makeVocabulary, pagesOfNote } from './fill-pages.ts'
import { measureByTurns } from './measure.ts'
import { makeScan } from './sample-pdf.ts'
import { explainSearches, planSearches } from './searches.ts'

/**
 * `npm run bench:search`: searching a library of 20,000 notes with 400,000 pages of made-up text. `--library DIR` keeps
 * the library there for another run, since filling it takes minutes; `--notes N` sets its size.
 */
const { values } = parseArgs({ options: { notes: { type: 'string', default: '20000' }, library: { type: 'string' } } })
const noteCount = Number(values.notes)
if (!Number.isInteger(noteCount) || noteCount < 100) throw new Error('--notes wants a whole number of at least 100')
const connections = 10
const [slices, sliceMs] = [4, 1_500]

const log = pino({ level: 'warn' }, process.stderr)
const say = (text: string) => process.stderr.write(`${text}\n`)
const library = values.library ?? (await mkdtemp(join(tmpdir(), 'lectern-bench-')))
await mkdir(library, { recursive: true })
// PostgreSQL's own account has to pass where we are root.
await chmod(library, 0o711)
const isFilled = await access(join(library, 'database')).then(
  () => true,
  () => false,
)
const database = await startEmbeddedDatabase({
  dataDir: join(library, 'database'),
  password: 'bench',
  log,
  fsync: false,
})

async function cleanUp(): Promise<void> {
  await stopChildren()
  await database.stop()
  if (!values.library) await rm(library, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)))
}

async function fill(): Promise<void> {
  const { db } = openPool(database.url, 4, log)
  say(`Filling a database with ${noteCount} notes of ${pagesOfNote} pages …`)
  await fillDatabase(db, await openDiskStorage(join(library, 'data', 'files')), noteCount, await makeScan())
  await fillPages(db, makeVocabulary(), say)
  await makeSearchable(db, say)
  await db.destroy()
}

try {
  await migrate(database.url, log)
  if (!isFilled) await fill()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  if (!isFilled) await pool.query('VACUUM ANALYZE')
  const searches = await planSearches(pool)
  const explained = await explainSearches(pool, searches)

  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', SECRET: 'a secret of the benchmarks, long enough' }
  const server = await startChild(
    'server/main.ts',
    { ...env, DATABASE_URL: database.url, DATA_DIR: join(library, 'data') },
    { readyPath: '/readyz', logFile: join(library, 'server.log') },
  )
  // A student each: of one, only one search at a time is let in.
  const tokens: string[] = []
  for (let student = 0; student < connections; student++) tokens.push((await logIn(server.origin, student)).accessToken)
  let at = 0
  const setupClient = (client: Client) => client.setHeaders({ authorization: `Bearer ${tokens[at++ % tokens.length]}` })
  const loadAtStart = loadavg()[0] ?? 0
  const targets = searches.map(({ path }) => ({ url: `${server.origin}${path}`, setupClient, connections }))
  const figures = await measureByTurns(targets, slices, sliceMs)
  const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
  const rows = searches.map(({ name }, index) => {
    const [seen, inside] = [figures[index], explained[index]]
    if (!seen || !inside) throw new Error('A measurement is missing')
    const cells = [name, String(inside.found), ms(seen.p50Ms), ms(seen.p95Ms), ms(inside.ms), inside.plan]
    return `| ${cells.join(' | ')} |${seen.failures > 0 ? ` ${seen.failures} failures` : ''}`
  })
  process.stdout.write(
    [
      `Load average ${loadAtStart.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after; ${connections} connections.`,
      '',
      '| Request | Found | p50 | p95 | Inside PostgreSQL | Read from |',
      '| --- | ---: | ---: | ---: | ---: | --- |',
      ...rows,
      '',
    ].join('\n'),
  )
  await pool.end()
} finally {
  await cleanUp()
}
