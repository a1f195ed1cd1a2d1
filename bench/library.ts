import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { openPool } from '../server/db/pool.ts'
import { openDiskStorage } from '../server/files/disk.ts'
import { startEmbeddedDatabase } from '../server/postgres/embedded.ts'
import type { Pace } from './figures.ts'
import { fillNotes, fillTexts } from './fill.ts'

export const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: 'boolean', default: false },
    notes: { type: 'string' },
    library: { type: 'string' },
    peer: { type: 'boolean', default: false },
  },
})
export const pace: Pace = options.quick ? { slices: 3, sliceMs: 1_500 } : { slices: 8, sliceMs: 4_000 }
export const log = pino({ level: 'warn' }, process.stderr)
/** Progress goes to standard error, so that standard output has the table alone. */
export const say = (text: string) => process.stderr.write(`${text}\n`)

export type Library = {
  databaseUrl: string
  folder: string
  /** What a server needs to serve it. */
  env: { DATABASE_URL: string; DATA_DIR: string }
  logFile: string
  noteCount: number
  postgresPid: number
}

/** Makes a database of the same PostgreSQL anew. @returns its address. */
export async function createDatabase(databaseUrl: string, name: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${name}`)
  // As Lectern has it: with 50 connections, parallel workers of one statement are taken from the others.
  await client.query(`ALTER DATABASE ${name} SET max_parallel_workers_per_gather = 0`)
  await client.end()
  return addressOf(databaseUrl, name)
}

export function addressOf(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Starts PostgreSQL on the library in `--library`, or on a new one that is removed afterwards, fills what is missing and
 * runs the benchmark.
 * @param notes how many unless `--notes` says otherwise.
 */
export async function withLibrary(
  { notes, hasTexts = false }: { notes: number; hasTexts?: boolean },
  measure: (library: Library) => Promise<void>,
): Promise<void> {
  const noteCount = Number(options.notes ?? (options.quick ? Math.min(notes, 5_000) : notes))
  if (!Number.isInteger(noteCount) || noteCount < 1_000)
    throw new Error('--notes takes a whole number of at least 1000')
  const folder = options.library ?? (await mkdtemp(join(tmpdir(), 'lectern-bench-')))
  await mkdir(folder, { recursive: true })
  // PostgreSQL's own account has to reach its files when this runs as root.
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'database')
  const database = await startEmbeddedDatabase({ dataDir, password: 'bench', log, maxConnections: 120 })
  process.once('SIGINT', () => void database.stop().finally(() => process.exit(1)))
  try {
    await migrate(database.url, log)
    const library: Library = {
      databaseUrl: database.url,
      folder,
      env: { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data') },
      logFile: join(folder, 'server.log'),
      noteCount,
      postgresPid: Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]),
    }
    await fill(library, hasTexts)
    await measure(library)
  } finally {
    await database.stop()
    if (!options.library) await rm(folder, { recursive: true, force: true })
  }
}

async function fill({ databaseUrl, folder, env, noteCount }: Library, hasTexts: boolean): Promise<void> {
  const stateFile = join(folder, 'library.json')
  const state = await readFile(stateFile, 'utf8').then(
    (text) => JSON.parse(text) as { noteCount: number; hasTexts: boolean },
    () => null,
  )
  if (state && state.noteCount !== noteCount) throw new Error(`${folder} has ${state.noteCount} notes`)
  // Nothing is lost that could not be filled again.
  const { db } = openPool(`${databaseUrl}?options=-c%20synchronous_commit%3Doff`, 4, log)
  try {
    if (!state) {
      await fillNotes(db, await openDiskStorage(join(env.DATA_DIR, 'files')), noteCount, say)
      await writeFile(stateFile, JSON.stringify({ noteCount, hasTexts: false }))
    }
    if (hasTexts && !state?.hasTexts) {
      await fillTexts(db, say)
      await writeFile(stateFile, JSON.stringify({ noteCount, hasTexts }))
    }
  } finally {
    await db.destroy()
  }
}
