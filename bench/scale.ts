import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import type { NoteQuery } from '../contract/search.ts'
import { migrate } from '../server/db/migrate.ts'
import { type Db, openPool } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import { listNotes } from '../server/search/search.ts'
import { fillDatabase } from './fill-database.ts'
import { makeScan } from './sample-pdf.ts'

/**
 * `npm run bench:scale -- --notes 1000`: what lists read of PostgreSQL in a library of that size, in blocks of 8 kB, which
 * are the same on a busy machine and an idle one; and what a note takes there, as one line of JSON.
 */
const { values } = parseArgs({ options: { notes: { type: 'string', default: '1000' } } })
const noteCount = Number(values.notes)
const [warmUps, runs] = [6, 5]
const log = pino({ level: 'warn' }, process.stderr)
const library = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
// PostgreSQL's own account has to pass where we are root.
await chmod(library, 0o711)
const database = await startEmbeddedDatabase({
  dataDir: join(library, 'database'),
  password: 'bench',
  log,
  fsync: false,
})

/** All that this very connection has asked for so far. */
async function countBlocks(db: Db): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ blocks: number }>`
    SELECT (blks_hit + blks_read)::float8 AS blocks FROM pg_stat_database WHERE datname = current_database()`.execute(
    db,
  )
  return rows[0]?.blocks ?? Number.NaN
}

/** Of several runs, when nothing has to be learned about tables any more. */
async function measure(db: Db, run: () => Promise<unknown>): Promise<number> {
  for (let time = 0; time < warmUps; time++) {
    await run()
    await countBlocks(db)
  }
  const before = await countBlocks(db)
  // Counting reads as well.
  const ofCounting = (await countBlocks(db)) - before
  const start = before + ofCounting
  for (let time = 0; time < runs; time++) await run()
  return Math.round(((await countBlocks(db)) - start - ofCounting) / runs)
}

const lists: Record<string, NoteQuery> = {
  'newest, first page': { sortBy: 'createdAt' },
  'most liked, first page': { sortBy: 'likes' },
  'a course and a year': { sortBy: 'createdAt', courseCode: 'MAT137', academicYear: '2025–26' },
  'a word of a title': { sortBy: 'createdAt', title: 'eigenvalues' },
  'an instructor nobody has': { sortBy: 'createdAt', instructor: 'zzyzx' },
}

try {
  await migrate(database.url, log)
  const { db: filling } = openPool(database.url, 4, log)
  await fillDatabase(filling, await openDiskStorage(join(library, 'files')), noteCount, await makeScan())
  await filling.destroy()
  const { db } = openPool(database.url, 1, log)
  const { id } = await db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
  const blocks: Record<string, number> = {}
  for (const [name, query] of Object.entries(lists)) {
    const reads = readsOn(db, createReadWithin(db, 2))
    blocks[name] = await measure(db, () => listNotes(reads, 'all', { id, role: 'student' }, query))
  }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const size = await client.query('SELECT pg_database_size(current_database())::float8 AS bytes')
  await client.end()
  await db.destroy()
  process.stdout.write(`${JSON.stringify({ notes: noteCount, databaseBytes: size.rows[0].bytes, blocks })}\n`)
} finally {
  await database.stop()
  await rm(library, { recursive: true, force: true })
}
