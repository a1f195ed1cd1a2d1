import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { hasCode, type Log } from '../observability/log.ts'
import { connect } from './client.ts'
import { lockNotAvailable } from './transaction.ts'
import { isNextRelease, version } from './version.ts'

// An arbitrary number, which must be the same in every version of Lectern.
export const migrationLock = 5_128_301_447

/** Maximum time a migration waits for a table, and blocks requests for it; after it the requests run first. */
const tableLimitMs = 2_000
const tableRetryMs = 3_000

export type SqlFile = { name: string; sha256: string; text: string }
/** A version of Lectern with its SQL files in order: `schema.sql`, then the later migrations. */
export type Release = { version: string; files: SqlFile[] }
/** `lectern` is the version that applied the file. */
export type AppliedFile = { name: string; sha256: string; lectern: string }

/** Thrown when the database has a schema unknown to this version, which therefore must not change it. */
export class OtherSchemaError extends Error {
  override name = 'OtherSchemaError'
  constructor(lectern: string, own: string) {
    super(
      `The database was created by Lectern ${lectern}, whose schema differs from Lectern ${own}. Nothing was changed. Run Lectern ${lectern} on it, or set DATABASE_URL or DATA_DIR to a database that is empty or belongs to Lectern ${own}.`,
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

/** Returns the files that were applied to the database, in order; null when it has no tables of Lectern. */
export async function listApplied(client: pg.ClientBase): Promise<AppliedFile[] | null> {
  // Unlike `to_regclass`, a query never uses a cache that is older than the lock that this transaction waited for.
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM pg_class
       WHERE relname = 'schema_migrations' AND relnamespace = 'public'::regnamespace) AS "isThere"`,
  )
  if (!rows[0]?.isThere) return null
  // Versions before 1.0.0 recorded no version.
  const applied = await client.query<AppliedFile>(
    `SELECT name, sha256, coalesce(to_jsonb(m) ->> 'lectern', '0.1.0') AS lectern
       FROM schema_migrations m ORDER BY name <> 'schema.sql', name`,
  )
  return applied.rows
}

/** Applies a file in the caller's transaction. */
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

/** Returns the applied files that the release does not have or has with different content. */
export const listUnknown = <T extends Pick<SqlFile, 'name' | 'sha256'>>(applied: T[], { files }: Release): T[] =>
  applied.filter(({ name, sha256 }) => !files.some((file) => file.name === name && file.sha256 === sha256))

/**
 * Returns how many migrations of this version the database lacks; null when it has no tables of Lectern.
 * @throws OtherSchemaError even where a server could run, because a command would not know all tables.
 */
export async function countPendingMigrations(client: pg.ClientBase, release?: Release): Promise<number | null> {
  const applied = await listApplied(client)
  if (!applied) return null
  const knownMigrations = release ?? (await readRelease())
  const [unknown] = listUnknown(applied, knownMigrations)
  if (unknown) throw new OtherSchemaError(unknown.lectern, knownMigrations.version)
  return knownMigrations.files.length - applied.length
}

/**
 * Creates the tables in an empty database and applies the missing migrations, each in its own transaction. Servers that
 * start at the same time wait for each other. A server also starts on a database with migrations of the next release,
 * so that servers can be replaced one after the other.
 * @param release by default this version.
 * @throws OtherSchemaError when the database has another schema.
 */
export async function migrate(databaseUrl: string, log: Log, release?: Release): Promise<void> {
  await using client = await connect({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  const knownMigrations = release ?? (await readRelease())
  // Only an upgrade changes existing data, so a first start logs less.
  const level = (await listApplied(client)) === null ? 'debug' : 'info'
  while (await applyNext(client, knownMigrations, log, level));
}

/**
 * Runs in a transaction with a transaction-level lock, because a session-level lock would stay with a pooler's
 * connection.
 * @returns whether there may be more migrations.
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
    log.info(`Migration ${next?.name} is waiting for a table in use, for example by a backup`)
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
  log.info('Waiting for another migration or restore of the database')
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
}
