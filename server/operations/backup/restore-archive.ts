import type { Readable } from 'node:stream'
import pg from 'pg'
import { applyFile, listUnknown, migrationLock, type Release, readRelease } from '../../platform/db/migrate.ts'
import type { Spool, SpoolFolder } from '../../platform/storage/spool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import type { Manifest, NamedFile } from './format.ts'
import { createTableLoader } from './load-tables.ts'
import { otherSchema, RestoreError, type Summary, summarise, visitArchive } from './read-archive.ts'
import { emptyDatabase, findRestoreBlocker, scheduleFileDeletions } from './restore.queries.ts'
import { resetSequences, setCopyFormat, setTriggers } from './tables.queries.ts'
import type { OnProgress } from './write-archive.ts'

type RestoreOptions = {
  databaseUrl: string
  files: FileStorage
  /** The files beside an archive; null if there are none. */
  kept: FileStorage | null
  spool: Spool
  /** Whether existing data is replaced. */
  replace: boolean
  /** By default this version. */
  release?: Release
  signal: AbortSignal
  onProgress: OnProgress
}

/**
 * Restores an archive in one transaction that also removes the existing data. If it is interrupted, the database stays
 * as it was, and the files added in the meantime are deleted again.
 */
export async function restoreArchive(input: Readable, options: RestoreOptions): Promise<Summary> {
  const { databaseUrl, files, spool, signal, replace } = options
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'lectern-restore' })
  client.on('error', () => {})
  await client.connect()
  const before = new Set(await Array.fromAsync(files.list()))
  const added = new Set<string>()
  const folder = await spool.openFolder()
  try {
    const obstacle = await findRestoreBlocker(client, before.size > 0, replace)
    if (obstacle) throw new RestoreError(obstacle)
    await client.query('BEGIN')
    await setCopyFormat(client)
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    const restored = await readMembers(input, client, { before, added, folder }, options)
    await scheduleFileDeletions(client, [...before])
    // Without statistics the planner would assume that the tables are empty.
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

/** `before` are the files that the storage had, `added` those written since. */
type Target = { before: Set<string>; added: Set<string>; folder: SpoolFolder }

async function readMembers(
  input: Readable,
  client: pg.Client,
  target: Target,
  { files, kept, signal, onProgress, release: given }: RestoreOptions,
): Promise<Summary> {
  const release = given ?? (await readRelease())
  const options = { kept, signal, onProgress: onProgress.bind(null, 'files') }
  const content = await visitArchive(input, options, async (manifest) => {
    await prepareDatabase(client, manifest, release)
    const tables = createTableLoader(client, manifest.tables, onProgress.bind(null, 'tables'))
    return {
      visitRows: tables.load,
      async visitFile(file, content) {
        await tables.finishTable()
        return keepFile(files, target, content, file)
      },
      async finish(end) {
        await tables.finish(end.tables)
        await setTriggers(client, manifest.tables, 'ENABLE')
        await resetSequences(client)
        await applyFiles(client, manifest, release, 'others')
      },
    }
  })
  return summarise(content)
}

/** Creates empty tables with the schema of the backup. */
async function prepareDatabase(client: pg.Client, manifest: Manifest, release: Release): Promise<void> {
  if (listUnknown(manifest.schema, release).length > 0) throw otherSchema(manifest)
  await emptyDatabase(client)
  await applyFiles(client, manifest, release, 'named')
  await setTriggers(client, manifest.tables, 'DISABLE')
}

/** Applies the release's SQL files that the manifest names, or afterwards the others. */
async function applyFiles(
  client: pg.Client,
  { schema }: Manifest,
  { version, files }: Release,
  which: 'named' | 'others',
): Promise<void> {
  for (const file of files) {
    const isNamed = schema.some(({ name }) => name === file.name)
    if (isNamed === (which === 'named')) await applyFile(client, file, version)
  }
}

/**
 * A key always belongs to the same file, so an existing file is replaced only if the archive's is intact.
 * @returns whether the archive's file is intact.
 */
async function keepFile(
  files: FileStorage,
  { before, added, folder }: Target,
  content: Readable,
  { key, sha256 }: NamedFile,
): Promise<boolean> {
  const spooled = await folder.write(content)
  const isWhole = spooled.sha256.toString('hex') === sha256
  if (isWhole || !before.has(key)) {
    if (!before.has(key)) added.add(key)
    await files.put(key, spooled)
  }
  return isWhole
}
