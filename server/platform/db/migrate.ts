import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { hasCode, type Log } from '../observability/log.ts'
import { lockNotAvailable } from './transaction.ts'
import { isNextRelease, version } from './version.ts'

// Any number, as long as every version of Lectern takes the same one.
export const migrationLock = 5_128_301_447

/** How long a migration, and every request for the same table, waits for a table at most; then the requests go first. */
const tableLimitMs = 2_000
const tableRetryMs = 3_000

export type SqlFile = { name: string; sha256: string; text: string }
/** A version of Lectern with its SQL files in order: `schema.sql`, then the migrations that followed it. */
export type Release = { version: string; files: SqlFile[] }
/** `lectern`: the version that applied the file. */
export type AppliedFile = { name: string; sha256: string; lectern: string }

/** The database has a schema that this version does not know, so that it must not touch it. */
export class OtherSchemaError extends Error {
  override name = 'OtherSchemaError'
  constructor(lectern: string, own: string) {
    super(
      `The database was made by Lectern ${lectern} with another schema than that of Lectern ${own}. Nothing was changed. Run Lectern ${lectern} on it, or set DATABASE_URL or DATA_DIR to one that is empty or of Lectern ${own}.`,
    )
  }
}

export async function readRelease(): Promise<Release> {
  const cwd = import.meta.dirname
  const migrations = (await Array.fromAsync(glob('migrations/*.sql', { cwd }))).sort()
  const files = ['schema.sql', ...migrations].map(async (path) =>
    toSqlFile(path, await readFile(`${cwd}/${path}`, 'utf8')),
  )
  return { version, files: await Promise.all(files) }
}

export const toSqlFile = (path: string, text: string): SqlFile => ({
  name: path.replace('migrations/', ''),
  sha256: createHash('sha256').update(text).digest('hex'),
  text,
})

/** The files that were applied to the database, in order; null where it has no tables of Lectern. */
export async function listApplied(client: pg.ClientBase): Promise<AppliedFile[] | null> {
  // Unlike `to_regclass`, a query never answers from a cache that is older than the lock which this transaction waited for.
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM pg_class
       WHERE relname = 'schema_migrations' AND relnamespace = 'public'::regnamespace) AS "isThere"`,
  )
  if (!rows[0]?.isThere) return null
  // Development versions of 0.1.0 recorded no version.
  const applied = await client.query<AppliedFile>(
    `SELECT name, sha256, coalesce(to_jsonb(m) ->> 'lectern', '0.1.0') AS lectern
       FROM schema_migrations m ORDER BY name <> 'schema.sql', name`,
  )
  return applied.rows
}

/** Runs in the caller's transaction. */
export async function applyFile(
  client: pg.ClientBase,
  { name, sha256, text }: SqlFile,
  lectern: string,
): Promise<void> {
  await client.query(text)
  await client.query('INSERT INTO schema_migrations (name, sha256, lectern) VALUES ($1, $2, $3)', [
    name,
    sha256,
    lectern,
  ])
}

/** Files that the release does not have, or has with another text. */
export const listUnknown = <T extends Pick<SqlFile, 'name' | 'sha256'>>(applied: T[], { files }: Release): T[] =>
  applied.filter(({ name, sha256 }) => !files.some((file) => file.name === name && file.sha256 === sha256))

/**
 * How many migrations of this version the database lacks; null where it has no tables of Lectern.
 * @throws OtherSchemaError also where a server could run: a command would not know all tables.
 */
export async function countPendingMigrations(client: pg.ClientBase, release?: Release): Promise<number | null> {
  const applied = await listApplied(client)
  if (!applied) return null
  const ours = release ?? (await readRelease())
  const [unknown] = listUnknown(applied, ours)
  if (unknown) throw new OtherSchemaError(unknown.lectern, ours.version)
  return ours.files.length - applied.length
}

/**
 * Makes the tables in an empty database, and applies the migrations that are missing, each in a transaction of its own.
 * Servers that start at once wait for each other. A server also starts beside migrations of the next release, so that
 * servers can be replaced one after the other.
 * @param release by default this version.
 * @throws OtherSchemaError where the database has another schema.
 */
export async function migrate(databaseUrl: string, log: Log, release?: Release): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // A connection that is lost between two statements is reported by the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    const ours = release ?? (await readRelease())
    // Only an upgrade changes what somebody has.
    const level = (await listApplied(client)) === null ? 'debug' : 'info'
    while (await applyNext(client, ours, log, level));
  } finally {
    // Ending the connection rolls back what failed.
    await client.end()
  }
}

/**
 * Runs in a transaction, under a lock that ends with it: a lock of the session would stay with a pooler's connection.
 * @returns whether there may be more.
 */
async function applyNext(client: pg.Client, release: Release, log: Log, level: 'debug' | 'info'): Promise<boolean> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0')
  await lockMigrations(client, log)
  const applied = (await listApplied(client)) ?? []
  const refused = listUnknown(applied, release).find(
    ({ name, lectern }) => release.files.some((file) => file.name === name) || !isNextRelease(release.version, lectern),
  )
  if (refused) throw new OtherSchemaError(refused.lectern, release.version)
  const next = release.files.find(({ name }) => !applied.some((before) => before.name === name))
  try {
    await client.query(`SET LOCAL lock_timeout = ${tableLimitMs}`)
    if (next) await applyFile(client, next, release.version)
  } catch (error) {
    if (!hasCode(error, lockNotAvailable)) throw error
    await client.query('ROLLBACK')
    log.info(`Migration ${next?.name} waits for a table that is read for long, for example by a backup`)
    await delay(tableRetryMs)
    return true
  }
  await client.query('COMMIT')
  if (next) log[level](`Migration ${next.name} applied`)
  return next !== undefined
}

async function lockMigrations(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1) AS "isOurs"', [migrationLock])
  if (rows[0]?.isOurs) return
  log.info('The database is being migrated or restored; waiting until that is done')
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
}
