import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { migrate } from '../server/platform/db/migrate.ts'
import { type Db, openPool } from '../server/platform/db/pool.ts'
import { startEmbeddedDatabase } from '../server/platform/embedded-postgres/embedded.ts'
import { openDiskStorage } from '../server/platform/storage/disk.ts'
import { adoptStorage } from '../server/platform/storage/open-storage.ts'
import { fillNotes, fillTexts, maxTexts, pagesOfText } from './fill.ts'

export const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    quick: { type: 'boolean', default: false },
    notes: { type: 'string' },
    library: { type: 'string' },
    peer: { type: 'boolean', default: false },
  },
})
export const log = pino({ level: 'warn' }, process.stderr)
/** Progress goes to standard error, so that standard output contains only the table. */
export const say = (text: string) => process.stderr.write(`${text}\n`)

export type Library = {
  databaseUrl: string
  folder: string
  /** The environment for a server of this library. */
  env: { DATABASE_URL: string; DATA_DIR: string }
  logFile: string
  noteCount: number
  postgresPid: number
}

/**
 * Starts PostgreSQL on the library in `--library`, or on a temporary one, adds missing data and runs the benchmark.
 * @param notes the default for `--notes`.
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
  // PostgreSQL's own account must reach its files when this runs as root.
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

async function fill({ databaseUrl, env, noteCount }: Library, hasTexts: boolean): Promise<void> {
  // Lost data can be filled again, so commits need not be synchronous. The analysis of 1,000,000 notes takes longer than
  // the server's statement timeout.
  const settings = new URLSearchParams({ options: '-c synchronous_commit=off -c statement_timeout=0' })
  const { db } = openPool(`${databaseUrl}?${settings}`, 4, log)
  try {
    await adoptFolder(db, env.DATA_DIR)
    const count = async (table: 'notes' | 'document_pages') =>
      (await db.selectFrom(table).select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    const found = await count('notes')
    if (found === 0) await fillNotes(db, noteCount, say)
    else if (found < noteCount) throw new Error(`The library has ${found} notes only`)
    const texts = Math.min(noteCount, maxTexts)
    if (hasTexts && (await count('document_pages')) < texts * pagesOfText) await fillTexts(db, say)
  } finally {
    await db.destroy()
  }
}

/** The server rejects a folder without the files of its database's documents, which do not exist here. */
export async function adoptFolder(db: Db, dataDir: string): Promise<void> {
  await adoptStorage(db, await openDiskStorage(join(dataDir, 'files')))
}

/** Installs packages for one benchmark at its first run, at the versions of their package.json. */
export function installOnce(folder: string): void {
  // npm writes this file when the installation is complete.
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  say('Installing the packages of this benchmark …')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
}
