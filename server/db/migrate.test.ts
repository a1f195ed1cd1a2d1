import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { createDatabase } from '../test/database.ts'
import { quietLog } from '../test/log.ts'
import { openDatabaseOfRelease } from '../test/old-release.ts'
import { applyMigration, countMissing, listApplied, migrate, migrationLock, readMigrations } from './migrate.ts'
import { isDatabaseAway } from './unavailable.ts'

const files = (await readMigrations()).map(({ name }) => name)

async function query(databaseUrl: string, text: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function keepLines() {
  const lines: string[] = []
  const keep = (line: unknown) => void lines.push(String(line))
  const log = { ...quietLog, info: keep, warn() {}, error() {}, debug: keep }
  return { lines, log }
}

const appliedTo = async (databaseUrl: string) =>
  (await query(databaseUrl, 'SELECT name FROM schema_migrations ORDER BY name')).map((row) => row.name)

it('applies every file once, also when servers start at once and again', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate')
  const { lines, log } = keepLines()
  await Promise.all([1, 2, 3, 4].map(() => migrate(url, log)))
  await migrate(url, log)
  expect(await appliedTo(url)).toEqual(files)
  expect(lines.filter((line) => line.endsWith('applied')).sort()).toEqual(
    files.map((name) => `Migration ${name} applied`),
  )
})

it('says what it waits for, and locks no connection for longer than a transaction', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_waiting')
  const { lines, log } = keepLines()
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('BEGIN')
  await other.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  const migrating = migrate(url, log)
  await expect.poll(() => lines).toEqual([expect.stringContaining('is waited for')])
  await other.query('COMMIT')
  await migrating
  expect(await appliedTo(url)).toEqual(files)
  const held = `SELECT FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  expect((await other.query(held)).rows).toEqual([])
  await other.end()
})

it('refuses a database that a newer Lectern has migrated', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_newer')
  await migrate(url, quietLog)
  await query(url, `INSERT INTO schema_migrations (name, sha256) VALUES ('9999_later.sql', 'x')`)
  await expect(migrate(url, quietLog)).rejects.toThrow('newer than this Lectern: it has 9999_later.sql')
})

it('goes on beside what a newer Lectern has migrated where that says so, from the version it says', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_beside')
  await migrate(url, quietLog)
  const later = (name: string, oldest: string) =>
    query(url, `INSERT INTO schema_migrations (name, sha256, oldest_server) VALUES ('${name}', 'x', '${oldest}')`)
  await later('9997_expands.sql', '0.0.0')
  await later('9998_contracts.sql', '0.10.0')
  for (const version of ['0.10.0', '0.10.1', '1.0.0']) await migrate(url, quietLog, version)
  await expect(migrate(url, quietLog, '0.9.0')).rejects.toThrow('it has 9998_contracts.sql.')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // What it keeps, compares and removes is more than an older command knows.
  await expect(countMissing(client)).rejects.toThrow('9997_expands.sql, 9998_contracts.sql')
  await client.end()
})

it('writes down for older servers what a migration says of them', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_marks')
  await migrate(url, quietLog)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const marks = ['any', 'from 0.3.0, which reads it no more.', 'none, since all is different.']
  for (const [n, mark] of marks.entries()) {
    const text = `-- Older servers: ${mark}\nSELECT 1;\n`
    await applyMigration(client, { name: `999${n}.sql`, sha256: 'x', text })
  }
  const applied = await listApplied(client)
  expect(applied.slice(-3).map(({ oldestServer }) => oldestServer)).toEqual(['0.0.0', '0.3.0', null])
  expect(applied[0]?.oldestServer).toBeNull()
  await client.end()
})

it('waits for a table that is read for long without keeping others from it', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0057')
  await client.query('BEGIN; LOCK TABLE schema_migrations IN ACCESS SHARE MODE')
  const { lines, log } = keepLines()
  const migrating = migrate(databaseUrl, log)
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('waits for a table'))
  expect(await appliedTo(databaseUrl)).not.toContain('0057_versions_beside_each_other.sql')
  await client.query('COMMIT')
  await migrating
  expect(await appliedTo(databaseUrl)).toEqual(files)
  await client.end()
})

it('fails as a database does that is away when its connection is lost between two statements', async () => {
  const { databaseUrl, client } = await openDatabaseOfRelease('0057')
  await client.query('BEGIN; LOCK TABLE schema_migrations IN ACCESS SHARE MODE')
  const { lines, log } = keepLines()
  const migrating = migrate(databaseUrl, log).catch((error: unknown) => error)
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('waits for a table'))
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  expect(isDatabaseAway(await migrating)).toBe(true)
  await client.end()
})

it('refuses to go on when a file was changed after it had been applied', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_changed')
  await migrate(url, quietLog)
  await query(url, `UPDATE schema_migrations SET sha256 = 'another' WHERE name = '${files[0]}'`)
  await expect(migrate(url, quietLog)).rejects.toThrow(`Migration ${files[0]} was changed`)
})

it('keeps what was applied before a file that fails, and nothing of that file', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_failed')
  // In the way of the second file.
  await query(url, 'CREATE TABLE notes (id integer)')
  await expect(migrate(url, quietLog)).rejects.toThrow('already exists')
  expect(await appliedTo(url)).toEqual(files.slice(0, 1))
  expect(await query(url, `SELECT to_regclass('ratings') AS ratings`)).toEqual([{ ratings: null }])
})
