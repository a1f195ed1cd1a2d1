import { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import tar from 'tar-stream'
import type { z } from 'zod'
import { applyMigration, createMigrationsTable, migrationLock, readMigrations } from '../db/migrate.ts'
import type { Spool, SpoolFolder } from '../files/spool.ts'
import type { FileStorage } from '../files/storage.ts'
import { describeError } from '../log.ts'
import { type End, end, formatVersion, type Manifest, manifest, readMemberName } from './format.ts'
import { createTableLoader, type TableLoader } from './load-tables.ts'
import { emptyDatabase, findObstacle, forgetFiles } from './restore.queries.ts'
import { RestoreError } from './restore-error.ts'
import { continueNumbers, setTriggers, useStandardTexts } from './tables.queries.ts'
import type { OnProgress } from './write-archive.ts'

type RestoreOptions = {
  databaseUrl: string
  files: FileStorage
  spool: Spool
  /** Of what there is already. */
  replace: boolean
  signal: AbortSignal
  onProgress: OnProgress
}

/** Keys of files that could not be brought back as they were, and when the archive was made. */
export type Restored = Pick<End, 'files' | 'missing' | 'damaged'> & { madeAt: string }

const notAnArchive = 'This is no backup of Lectern, or it is damaged or cut off'

/**
 * Brings back what an archive holds, in one transaction that also takes away what was there before: whatever interrupts
 * it, the database stays as it was, and the files that came meanwhile go again.
 */
export async function restoreArchive(input: Readable, options: RestoreOptions): Promise<Restored> {
  const { databaseUrl, files, spool, signal, replace } = options
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'lectern-restore' })
  client.on('error', () => {})
  await client.connect()
  const before = new Set(await Array.fromAsync(files.list()))
  const added = new Set<string>()
  const folder = await spool.openFolder()
  try {
    const obstacle = await findObstacle(client, before.size > 0, replace)
    if (obstacle) throw new RestoreError(obstacle)
    await client.query('BEGIN')
    await useStandardTexts(client)
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    const extract = tar.extract()
    const restoring = readMembers(extract, client, { before, added, folder }, options)
    const read = pipeline(input, extract, { signal }).catch(throwUnreadable)
    const [restored] = await Promise.all([restoring, read])
    await forgetFiles(client, [...before])
    // For the planner, which would otherwise take the tables for empty.
    await client.query('ANALYZE')
    signal.throwIfAborted()
    await client.query('COMMIT')
    added.clear()
    return restored
  } finally {
    await client.end().catch(() => {})
    await folder.remove()
    for (const key of added) await files.delete(key)
  }
}

/** `before` is what the storage had, `added` what it has got since. */
type Target = { before: Set<string>; added: Set<string>; folder: SpoolFolder }

/** Has to be called before anything is written to `members`, which tells nobody later. */
async function readMembers(
  members: tar.Extract,
  client: pg.Client,
  target: Target,
  { files, onProgress }: RestoreOptions,
): Promise<Restored> {
  let found: Manifest | null = null
  let tables: TableLoader | null = null
  let ended: End | null = null
  let count = 0
  const damaged: string[] = []
  for await (const entry of readable(members)) {
    const member = readMemberName(entry.header.name)
    const content = Readable.from(entry as AsyncIterable<Buffer>)
    if (!member || ended || (member.kind === 'manifest') !== (found === null))
      throw new RestoreError(`${notAnArchive}.`)
    if (member.kind === 'manifest') {
      found = await readManifest(content)
      await prepareDatabase(client, found)
      tables = createTableLoader(client, found.tables, (done, total) => onProgress('tables', done, total))
    } else if (member.kind === 'table') {
      await tables?.load(member.table, await buffer(content))
    } else if (member.kind === 'file') {
      await tables?.finish()
      const isWhole = await keepFile(files, target, content, member)
      if (!isWhole) damaged.push(member.key)
      onProgress('files', ++count, found?.files ?? 0)
    } else {
      await tables?.finish()
      ended = await readMember(end, content)
    }
  }
  if (!found || !tables || !ended || count !== ended.files) throw new RestoreError(`${notAnArchive}.`)
  tables.compare(ended.tables)
  await setTriggers(client, found.tables, 'ENABLE')
  await continueNumbers(client)
  await migrateForward(client, found)
  return { madeAt: found.madeAt, files: count, missing: ended.missing, damaged }
}

async function* readable(members: tar.Extract): AsyncGenerator<AsyncIterable<unknown> & { header: { name: string } }> {
  try {
    yield* members
  } catch (error) {
    throwUnreadable(error)
  }
}

function throwUnreadable(error: unknown): never {
  if (error instanceof Error && error.name === 'AbortError') throw error
  throw new RestoreError(`${notAnArchive} (${describeError(error)}).`, { cause: error })
}

async function readMember<T>(schema: z.ZodType<T>, content: Readable): Promise<T> {
  const result = schema.safeParse(await json(content).catch(() => null))
  if (!result.success) throw new RestoreError(`${notAnArchive}.`)
  return result.data
}

async function readManifest(content: Readable): Promise<Manifest> {
  const found = await readMember(manifest, content)
  const ours = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]))
  const isKnown = found.migrations.every(({ name, sha256 }) => ours.get(name) === sha256)
  if (found.format !== formatVersion || !isKnown) {
    throw new RestoreError(
      `The backup was made by Lectern ${found.lectern}, which this one does not know. Use a newer one.`,
    )
  }
  return found
}

/** Empty tables, as they were where the backup was made. */
async function prepareDatabase(client: pg.Client, { migrations, tables }: Manifest): Promise<void> {
  await emptyDatabase(client)
  await createMigrationsTable(client)
  const names = new Set(migrations.map(({ name }) => name))
  for (const migration of await readMigrations()) if (names.has(migration.name)) await applyMigration(client, migration)
  await setTriggers(client, tables, 'DISABLE')
}

async function migrateForward(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const names = new Set(migrations.map(({ name }) => name))
  for (const migration of await readMigrations())
    if (!names.has(migration.name)) await applyMigration(client, migration)
}

/**
 * A file with this key is always the same one: where it is there already it is left, unless the archive's is whole.
 * @returns whether that is so.
 */
async function keepFile(
  files: FileStorage,
  { before, added, folder }: Target,
  content: Readable,
  { key, sha256 }: { key: string; sha256: string },
): Promise<boolean> {
  const spooled = await folder.write(content)
  const isWhole = spooled.sha256.toString('hex') === sha256
  if (isWhole || !before.has(key)) {
    if (!before.has(key)) added.add(key)
    await files.put(key, spooled)
  }
  return isWhole
}
