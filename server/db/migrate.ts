import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Log } from '../log.ts'

const folder = new URL('./migrations/', import.meta.url)
// Any number, as long as every version of Lectern takes the same one.
export const migrationLock = 5_128_301_447

export type Migration = { name: string; sha256: string }

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
export async function listApplied(client: pg.ClientBase): Promise<Migration[]> {
  const { rows } = await client.query<Migration>('SELECT name, sha256 FROM schema_migrations ORDER BY name')
  return rows
}

/** In the caller's transaction. */
export async function applyMigration(client: pg.ClientBase, migration: Migration & { text: string }): Promise<void> {
  await client.query(migration.text)
  const { name, sha256 } = migration
  await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [name, sha256])
}

/** @throws where a database that has seen `applied` is none that this Lectern can go on from. */
export function checkApplied(applied: Migration[], ours: Migration[]): void {
  const known = new Map(ours.map(({ name, sha256 }) => [name, sha256]))
  const unknown = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (unknown.length > 0) throw new Error(`The database is newer than this Lectern: it has ${unknown.join(', ')}.`)
  const changed = applied.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (changed) throw new Error(`Migration ${changed.name} was changed after it had been applied.`)
}

/**
 * How many migrations of this Lectern the database has not seen; null where it has no tables of Lectern's.
 * @throws as `checkApplied`.
 */
export async function countMissing(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query(`SELECT to_regclass('public.schema_migrations') IS NOT NULL AS "isThere"`)
  if (!rows[0]?.isThere) return null
  const [applied, ours] = [await listApplied(client), await readMigrations()]
  checkApplied(applied, ours)
  return ours.length - applied.length
}

/**
 * Applies the SQL files of `migrations/` that the database has not seen, in the order of their names, each in a transaction
 * of its own. Numbers need not follow one another: there is no 0018.
 * Servers that start at once wait for one another. A file changed after it was applied stops the start.
 */
export async function migrate(databaseUrl: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const migrations = await readMigrations()
    while (await applyNext(client, migrations, log));
  } finally {
    // Ending the connection rolls back what failed.
    await client.end()
  }
}

/**
 * In a transaction, and under a lock that ends with it: one of the session would stay with a pooler's connection.
 * @returns whether there may be more.
 */
async function applyNext(client: pg.Client, migrations: Awaited<ReturnType<typeof readMigrations>>, log: Log) {
  await client.query('BEGIN')
  await lockMigrations(client, log)
  await createMigrationsTable(client)
  const applied = await listApplied(client)
  checkApplied(applied, migrations)
  const next = migrations.find(({ name }) => !applied.some((before) => before.name === name))
  if (next) await applyMigration(client, next)
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
