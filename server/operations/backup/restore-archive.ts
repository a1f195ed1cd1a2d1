import { createHash, type Hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { connect } from '../../platform/db/client.ts'
import { isDatabaseUnavailable } from '../../platform/db/database-unavailable.ts'
import {
  applyFile,
  listUnknown,
  migrationLock,
  type Release,
  readRelease,
  type SqlFile,
} from '../../platform/db/migrate.ts'
import type { Spool, SpoolFolder } from '../../platform/storage/spool.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import type { End, NamedFile } from './format.ts'
import { otherSchema, RestoreError, type Summary, summarise, visitArchive } from './read-archive.ts'
import { beginCopy, copyIn, hasTable, resetSequences, selectFiles, setTriggers, type Table } from './tables.queries.ts'
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
  await using client = await connect({ connectionString: databaseUrl, application_name: 'lectern-restore' })
  const before = new Set(await Array.fromAsync(files.list()))
  const added = new Set<string>()
  const folder = await spool.openFolder()
  try {
    const obstacle = await findRestoreBlocker(client, before.size > 0, replace)
    if (obstacle) throw new RestoreError(obstacle)
    await beginCopy(client)
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
    if (listUnknown(manifest.schema, release).length > 0) throw otherSchema(manifest)
    const isOfBackup = (file: SqlFile) => manifest.schema.some(({ name }) => name === file.name)
    await emptyDatabase(client)
    for (const file of release.files.filter(isOfBackup)) await applyFile(client, file, release.version)
    await setTriggers(client, manifest.tables, 'DISABLE')
    const tables = createTableLoader(client, manifest.tables, onProgress.bind(null, 'tables'))
    async function upgrade() {
      await setTriggers(client, manifest.tables, 'ENABLE')
      await resetSequences(client)
      for (const file of release.files) if (!isOfBackup(file)) await applyFile(client, file, release.version)
    }
    return {
      visitRows: tables.load,
      async visitFile(file, content) {
        await tables.finishTable()
        return keepFile(files, target, content, file)
      },
      async finish(end) {
        await tables.finish(end.tables)
        await upgrade().catch((error) => {
          throw isDatabaseUnavailable(error) ? lostConnection(error) : error
        })
      },
    }
  })
  return summarise(content)
}

const lostConnection = (error: Error) =>
  new RestoreError(`The database connection was lost, and nothing was changed (${error.message}).`, { cause: error })

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

/**
 * Returns why nothing can be restored here, for the operator; null if it can.
 * @param hasFiles whether the storage has files.
 */
async function findRestoreBlocker(client: pg.Client, hasFiles: boolean, replace: boolean): Promise<string | null> {
  const { rows: others } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'lectern%' AND pid <> pg_backend_pid()`,
  )
  if (others.length > 0) return 'A Lectern server uses this database. Stop it first.'
  const isOurs = await hasTable(client, 'public.schema_migrations')
  const { rows: tables } = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public' LIMIT 1`)
  if (tables.length > 0 && !isOurs) return 'The database contains tables of another program. Use an empty database.'
  if (replace) return null
  if (isOurs && (await hasUsers(client))) return 'The database isn’t empty. Use --replace to replace its data.'
  return hasFiles ? 'The storage contains files. Use --replace to replace them.' : null
}

async function hasUsers(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client, 'public.users'))) return false
  const { rows } = await client.query('SELECT FROM users UNION ALL SELECT FROM registrations LIMIT 1')
  return rows.length > 0
}

/** Drops everything of Lectern and its queue, but nothing that belongs to an extension. */
async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$
    DECLARE
      statement text;
    BEGIN
      FOR statement IN SELECT format('DROP TABLE public.%I CASCADE', tablename) FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE statement;
      END LOOP;
      FOR statement IN
        SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) FROM pg_proc p
         WHERE pronamespace = 'public'::regnamespace
           AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e') LOOP
        EXECUTE statement;
      END LOOP;
    END $$;
    DROP SCHEMA IF EXISTS pgboss CASCADE`)
}

/** Schedules the deletion of files that no restored row refers to. */
async function scheduleFileDeletions(client: pg.Client, keys: string[]): Promise<void> {
  await client.query(
    `INSERT INTO file_deletions (file_key, delete_after)
     SELECT key, now() FROM unnest($1::text[]) AS key WHERE key NOT IN (SELECT key FROM (${selectFiles}) f)`,
    [keys],
  )
}

type Loading = {
  name: string
  hash: Hash
  stream: Writable & { rowCount: number }
  /** Rejects when PostgreSQL refuses a row, because the stream itself would then never end. */
  refused: Promise<never>
}

function createTableLoader(client: pg.Client, tables: Table[], onProgress: (done: number, total: number) => void) {
  const loaded = new Map<string, { rows: number; sha256: string }>()
  let current: Loading | null = null

  /** Call this before anything other than rows; repeated calls have no effect. */
  async function finishTable(): Promise<void> {
    if (!current) return
    const { name, stream, hash, refused } = current
    current = null
    stream.end()
    await Promise.race([finished(stream), refused])
    loaded.set(name, { rows: stream.rowCount, sha256: hash.digest('hex') })
    onProgress(loaded.size, tables.length)
  }

  function begin(name: string): Loading {
    const table = tables.find((one) => one.name === name)
    if (!table || loaded.has(name)) throw new RestoreError(`The backup contains unexpected rows of "${name}".`)
    const stream = client.query(copyFrom(copyIn(table)))
    const refused = new Promise<never>((_, reject) => {
      stream.once('error', (error) => {
        const damaged = `The backup is damaged: rows of ${name} don’t match the schema (${error.message}).`
        reject(isDatabaseUnavailable(error) ? lostConnection(error) : new RestoreError(damaged, { cause: error }))
      })
    })
    refused.catch(() => {})
    return { name, stream, refused, hash: createHash('sha256') }
  }

  return {
    /** Loads the next part of a table's rows; the parts of one table must follow one another. */
    async load(name: string, part: Buffer): Promise<void> {
      if (current?.name !== name) await finishTable()
      current ??= begin(name)
      const { stream, hash, refused } = current
      hash.update(part)
      // An error rejects `refused`, which names its reason.
      const taken = new Promise<void>((resolve) => {
        stream.write(part, (error) => void (error || resolve()))
      })
      await Promise.race([taken, refused])
    },

    finishTable,

    /** Call this after the last part. @throws RestoreError if the loaded rows differ from the written ones. */
    async finish(written: End['tables']): Promise<void> {
      await finishTable()
      const nothing = { rows: 0, sha256: createHash('sha256').digest('hex') }
      for (const { name } of tables) {
        const [here, there] = [loaded.get(name) ?? nothing, written.find((one) => one.name === name)]
        if (here.rows !== there?.rows || here.sha256 !== there.sha256) {
          throw new RestoreError(`The backup is damaged: rows of ${name} don’t match their hash.`)
        }
      }
    },
  }
}
