import { createHash, type Hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import tar from 'tar-stream'
import { connect } from '../../platform/db/client.ts'
import { countPendingMigrations, listApplied } from '../../platform/db/migrate.ts'
import type { Db } from '../../platform/db/pool.ts'
import { version } from '../../platform/db/version.ts'
import type { Log } from '../../platform/observability/log.ts'
import { holdDeletions } from '../../platform/storage/file-deletions.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import {
  addToPool,
  type End,
  endName,
  type FilePool,
  fileMember,
  formats,
  hashContent,
  listMember,
  type Manifest,
  manifestName,
  tableMember,
  untilUnreadable,
} from './format.ts'
import {
  beginCopy,
  copyOut,
  hasTable,
  listTables,
  lockTableDefinitions,
  type StoredFile,
  selectFiles,
  type Table,
} from './tables.queries.ts'

/** The progress of a backup or a restore. */
export type OnProgress = (what: 'tables' | 'files', done: number, total: number) => void

type WriteOptions = {
  databaseUrl: string
  db: Db
  files: FileStorage
  /** The pool for files beside the archive. Without it files go into the archive. */
  filePool?: FilePool
  log: Log
  signal: AbortSignal
  onProgress: OnProgress
}

/** Size of a part of a table's rows before compression. */
const partBytes = 4 * 2 ** 20
const filesAtOnce = 1_000
const compress = promisify(gzip)

/**
 * Writes one archive of everything at one moment, with the files in it or in the pool beside it; users can keep
 * working. A missing or damaged file does not end the backup: it is listed at the end of the archive and in the result.
 */
export async function writeArchive(output: Writable, options: WriteOptions): Promise<End> {
  const { databaseUrl, db, log, signal } = options
  // Taken before the snapshot, so that the sweep deletes none of the files in it.
  await using _hold = await holdDeletions(db, log)
  await using client = await connect({ connectionString: databaseUrl, application_name: 'lectern-backup' })
  const pack = tar.pack()
  const written = pipeline(pack, output, { signal })
  const [end] = await Promise.all([addAll(pack, client, options), written])
  return end
}

async function addAll(pack: tar.Pack, client: pg.Client, options: WriteOptions): Promise<End> {
  try {
    const { filePool, onProgress } = options
    const schema = await readOwnSchema(client)
    const tables = await listTables(client)
    await beginCopy(client, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await lockTableDefinitions(client, tables)
    const { rows } = await client.query<{ count: number }>(`SELECT count(*) FROM (${selectFiles}) f`)
    const manifest: Manifest = {
      format: filePool ? formats.inFolder : formats.whole,
      lectern: version,
      madeAt: new Date().toISOString(),
      schema,
      tables,
      files: Number(rows[0]?.count),
    }
    await addText(pack, manifestName, JSON.stringify(manifest, null, 2))
    const end: End = { tables: [], files: 0, missing: [], damaged: [] }
    // The lists come first, so that readers of only the lists need not read the rows.
    if (filePool) await addFiles(pack, client, options, manifest.files, end)
    const hasQueue = await hasTable(client, 'pgboss.job')
    for (const table of tables) {
      end.tables.push(await addTable(pack, client, table, hasQueue))
      onProgress('tables', end.tables.length, tables.length)
    }
    if (!filePool) await addFiles(pack, client, options, manifest.files, end)
    await client.query('COMMIT')
    await addText(pack, endName, JSON.stringify(end, null, 2))
    pack.finalize()
    return end
  } catch (error) {
    pack.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
}

/** @throws if the database has another release's schema, because only that release knows what to back up. */
async function readOwnSchema(client: pg.Client): Promise<Manifest['schema']> {
  const missing = await countPendingMigrations(client)
  if (missing === null) throw new Error('Nothing to back up: Lectern was never started on this database.')
  if (missing > 0) {
    throw new Error(
      'The database belongs to an older Lectern. Back it up with that version, or start this version first.',
    )
  }
  return ((await listApplied(client)) ?? []).map(({ name, sha256 }) => ({ name, sha256 }))
}

async function addTable(pack: tar.Pack, client: pg.Client, table: Table, hasQueue: boolean): Promise<End['tables'][0]> {
  const hash = createHash('sha256')
  const rows = client.query(copyTo(copyOut(table, hasQueue)))
  let chunks: Buffer[] = []
  let bytes = 0
  let part = 0
  const addPart = async () => {
    await addText(pack, tableMember(table.name, ++part), await compress(Buffer.concat(chunks)))
    chunks = []
    bytes = 0
  }
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk)
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= partBytes) await addPart()
  }
  if (bytes > 0) await addPart()
  return { name: table.name, rows: rows.rowCount, sha256: hash.digest('hex') }
}

async function addFiles(
  pack: tar.Pack,
  client: pg.Client,
  { files, filePool, onProgress }: WriteOptions,
  total: number,
  end: End,
): Promise<void> {
  await client.query(`DECLARE stored CURSOR FOR ${selectFiles}`)
  for (let done = 0, part = 0; ; ) {
    const { rows } = await client.query<StoredFile>(`FETCH ${filesAtOnce} FROM stored`)
    if (rows.length === 0) return
    const names: string[] = []
    for (const file of rows) {
      const { outcome, name } = filePool ? await addToPool(filePool, files, file) : await addFile(pack, files, file)
      if (name) names.push(name)
      if (outcome !== 'whole') end[outcome].push(file.key)
      onProgress('files', ++done, total)
    }
    end.files += names.length
    if (filePool) await addText(pack, listMember(++part), await compress(names.join('\n')))
  }
}

async function addFile(pack: tar.Pack, files: FileStorage, { key, sha256 }: StoredFile) {
  const bytes = await files.getSize(key)
  const stream = await files.get(key)
  if (bytes === null || !stream) return { outcome: 'missing', name: null } as const
  const expected = sha256 ?? (await hashContent((await files.get(key)) ?? []))
  const hash = createHash('sha256')
  const name = fileMember(key, expected.toString('hex'))
  await addMember(pack, name, bytes, hashAndPad(stream, bytes, hash))
  return { outcome: hash.digest().equals(expected) ? 'whole' : 'damaged', name } as const
}

/** Resolves when the data was passed on, so that nothing accumulates in memory. */
const addText = (pack: tar.Pack, name: string, content: string | Buffer) =>
  addMember(pack, name, Buffer.byteLength(content), [Buffer.from(content)])

const addMember = (pack: tar.Pack, name: string, size: number, content: Iterable<Buffer> | AsyncIterable<Buffer>) =>
  pipeline(content, pack.entry({ name, size, mode: 0o600, type: 'file' }))

const zeros = Buffer.alloc(256 * 1024)

/** A member must have the announced size, so unreadable bytes of a file are replaced by zeros. */
async function* hashAndPad(content: Readable, size: number, hash: Hash): AsyncGenerator<Buffer> {
  let left = size
  for await (const chunk of untilUnreadable(content)) {
    hash.update(chunk)
    left -= chunk.length
    yield chunk
  }
  for (; left > 0; left -= zeros.length) yield zeros.subarray(0, left)
}
