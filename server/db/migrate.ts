import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { hasCode } from '../error-code.ts'
import type { Log } from '../log.ts'
import { isOlder, version as ownVersion } from '../version.ts'

const folder = new URL('./migrations/', import.meta.url)
// Any number, as long as every version of Lectern takes the same one.
export const migrationLock = 5_128_301_447

/** What a migration waits for a table at most, and all who come to the table meanwhile; then they go first. */
const tableLimitMs = 2_000
const tableRetryMs = 3_000
const lockNotAvailable = '55P03'

export type Migration = { name: string; sha256: string }
/** Where the database has seen it: the oldest Lectern that works beside it, or null. */
type Applied = Migration & { oldestServer: string | null }

/** A database that a newer Lectern has migrated, so that this one does not work on it. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}

/** Every migration of this Lectern, in order, with its text. */
export async function readMigrations(): Promise<(Migration & { text: string })[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

export async function createMigrationsTable(client: pg.ClientBase): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
  )
}

/** What the database has seen, in order. */
export async function listApplied(client: pg.ClientBase): Promise<Applied[]> {
  // The column came with 0057.
  const { rows } = await client.query<Applied>(
    `SELECT name, sha256, to_jsonb(m) ->> 'oldest_server' AS "oldestServer" FROM schema_migrations m ORDER BY name`,
  )
  return rows
}

/**
 * What a migration says of itself in its first line, as each does from 0060 on: whether servers that do not know it work
 * beside it. Undefined where it says nothing.
 */
export function readOldestServer(text: string): string | null | undefined {
  const [, any, from, none] =
    /^-- Older servers: (?:(any)|from (\d+\.\d+\.\d+), \S.*|(none), \S.*)$/.exec(text.split('\n', 1)[0] ?? '') ?? []
  if (any) return '0.0.0'
  return none ? null : from
}

/** In the caller's transaction. */
export async function applyMigration(client: pg.ClientBase, migration: Migration & { text: string }): Promise<void> {
  await client.query(migration.text)
  const { name, sha256, text } = migration
  await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [name, sha256])
  const oldestServer = readOldestServer(text)
  if (oldestServer) {
    await client.query('UPDATE schema_migrations SET oldest_server = $2 WHERE name = $1', [name, oldestServer])
  }
}

/**
 * @param worksBeside whether this Lectern works beside a migration that it does not know.
 * @throws where a database that has seen `applied` is none that this Lectern can go on from.
 */
function checkApplied(applied: Applied[], ours: Migration[], worksBeside: (unknown: Applied) => boolean): void {
  const known = new Map(ours.map(({ name, sha256 }) => [name, sha256]))
  const unknown = applied.filter((migration) => !known.has(migration.name) && !worksBeside(migration))
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name).join(', ')
    throw new NewerDatabase(
      `The database is newer than this Lectern: it has ${names}. Use the Lectern that migrated it.`,
    )
  }
  const changed = applied.find(({ name, sha256 }) => (known.get(name) ?? sha256) !== sha256)
  if (changed) throw new Error(`Migration ${changed.name} was changed after it had been applied.`)
}

/**
 * How many migrations of this Lectern the database has not seen; null where it has no tables of Lectern's.
 * @throws where it has seen others: what is there to keep, to compare and to remove is known by who made it.
 */
export async function countMissing(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query(`SELECT to_regclass('public.schema_migrations') IS NOT NULL AS "isThere"`)
  if (!rows[0]?.isThere) return null
  const [applied, ours] = [await listApplied(client), await readMigrations()]
  checkApplied(applied, ours, () => false)
  return ours.length - applied.length
}

/**
 * Applies the SQL files of `migrations/` that the database has not seen, in the order of their names, each in a transaction
 * of its own. Numbers need not follow one another: there is no 0018.
 * Servers that start at once wait for one another. A file changed after it was applied stops the start; so does one that is
 * not known here, unless it says that servers of this version work beside it.
 */
export async function migrate(databaseUrl: string, log: Log, version = ownVersion): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  // A connection that is lost between two statements is said by the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    const migrations = await readMigrations()
    while (await applyNext(client, migrations, log, version));
  } finally {
    // Ending the connection rolls back what failed.
    await client.end()
  }
}

/**
 * In a transaction, and under a lock that ends with it: one of the session would stay with a pooler's connection.
 * @returns whether there may be more.
 */
async function applyNext(
  client: pg.Client,
  migrations: Awaited<ReturnType<typeof readMigrations>>,
  log: Log,
  version: string,
): Promise<boolean> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0')
  await lockMigrations(client, log)
  await createMigrationsTable(client)
  const applied = await listApplied(client)
  checkApplied(applied, migrations, ({ oldestServer }) => oldestServer !== null && !isOlder(version, oldestServer))
  const next = migrations.find(({ name }) => !applied.some((before) => before.name === name))
  try {
    await client.query(`SET LOCAL lock_timeout = ${tableLimitMs}`)
    if (next) await applyMigration(client, next)
  } catch (error) {
    if (!hasCode(error, lockNotAvailable)) throw error
    await client.query('ROLLBACK')
    log.info(`Migration ${next?.name} waits for a table that somebody reads for long, as a backup does`)
    await delay(tableRetryMs)
    return true
  }
  await client.query('COMMIT')
  if (next) log.info(`Migration ${next.name} applied`)
  return next !== undefined
}

async function lockMigrations(client: pg.Client, log: Log): Promise<void> {
  const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1) AS "isOurs"', [migrationLock])
  if (rows[0]?.isOurs) return
  log.info('The database is being migrated or restored, which is waited for')
  await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
}
