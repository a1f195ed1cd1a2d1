import { randomBytes } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import { generateSchema } from '../../../scripts/generate-schema.ts'
import { createUser, openTestApp, openTestAppOn, type TestApp, type TestUser } from '../../testing/app.ts'
import { createDatabase, queryAt as query, templateName } from '../../testing/database.ts'
import { file, goodFields, upload } from '../../testing/form.ts'
import { quietLog, recordLog } from '../../testing/log.ts'
import { logIn } from '../../testing/students.ts'
import { connect } from './client.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { countPendingMigrations, migrate, migrationLock, OtherSchemaError, readRelease, toSqlFile } from './migrate.ts'
import { isNextRelease, isOlder, version } from './version.ts'

const own = await readRelease()
const addsColumn = toSqlFile('migrations/0001_shelf.sql', 'ALTER TABLE users ADD COLUMN shelf text')
const failing = toSqlFile('migrations/0002_fails.sql', 'CREATE TABLE shelves (id integer); SELECT 1 / 0')
/** The release after this one. */
const next = { version: '1.1.0', files: [...own.files, addsColumn] }

const appliedTo = async (databaseUrl: string) =>
  (await query(databaseUrl, 'SELECT name FROM schema_migrations ORDER BY applied_at')).map((row) => row.name)

/** Opens a database with the schema of this release. */
const openMade = (name: string) => createDatabase(inject('postgresUrl'), name, templateName)

it('applies every file once, also when servers start simultaneously and again', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate')
  const { lines, log } = recordLog('debug')
  await Promise.all([1, 2, 3, 4].map(() => migrate(url, log, next)))
  await migrate(url, log, next)
  expect(await appliedTo(url)).toEqual(['schema.sql', '0001_shelf.sql'])
  // Each server logs its own file after the commit, so the lines may change places.
  const said: string[] = lines.map((line) => JSON.parse(line).msg)
  const applied = said.filter((line) => line.endsWith('applied')).sort()
  expect(applied).toEqual(['Migration 0001_shelf.sql applied', 'Migration schema.sql applied'])
  expect(await query(url, 'SELECT shelf FROM users')).toEqual([])
})

it('logs what it waits for, and locks no connection for longer than a transaction', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_waiting')
  const { lines, log } = recordLog('debug')
  await using other = await connect({ connectionString: url })
  await other.query('BEGIN')
  await other.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
  const migrating = migrate(url, log)
  await expect.poll(() => lines).toEqual([expect.stringContaining('another migration or restore')])
  await other.query('COMMIT')
  await migrating
  expect(await appliedTo(url)).toEqual(['schema.sql'])
  const held = `SELECT FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  expect((await other.query(held)).rows).toEqual([])
})

const insert = 'INSERT INTO schema_migrations VALUES'
it.each([
  ['another schema.sql', `UPDATE schema_migrations SET sha256 = 'x', lectern = '0.9.9'`, '0.9.9'],
  ['a migration with another text', `INSERT INTO schema_migrations VALUES ('0001_shelf.sql', 'x', '1.1.0')`, '1.1.0'],
  ['a migration of a later release', `INSERT INTO schema_migrations VALUES ('0002.sql', 'x', '1.2.0')`, '1.2.0'],
  ['the next migration and a later one', `${insert} ('0002.sql', 'x', '1.1.0'), ('0003.sql', 'x', '1.2.0')`, '1.2.0'],
  [
    'a development version before schema.sql',
    `ALTER TABLE schema_migrations DROP COLUMN lectern; UPDATE schema_migrations SET name = '0001_accounts.sql'`,
    '0.1.0',
  ],
])('changes nothing in a database with %s, and names the version that created it', async (_what, change, lectern) => {
  const url = await openMade('lectern_migrate_other')
  await query(url, change)
  const describe = async () => [
    await query(url, 'SELECT * FROM schema_migrations ORDER BY name'),
    await query(url, `SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY oid`),
  ]
  const before = await describe()
  const refusal = migrate(url, quietLog, { version: '1.0.0', files: [...own.files, addsColumn] })
  await expect(refusal).rejects.toThrow(OtherSchemaError)
  await expect(refusal).rejects.toThrow(`created by Lectern ${lectern}, whose schema differs from Lectern 1.0.0`)
  expect(await describe()).toEqual(before)
})

it('starts beside the migrations of the next release, where commands refuse to', async () => {
  const url = await openMade('lectern_migrate_beside')
  await using client = await connect({ connectionString: url })
  expect([await countPendingMigrations(client), await countPendingMigrations(client, next)]).toEqual([0, 1])
  await migrate(url, quietLog, next)
  await migrate(url, quietLog, { ...own, version: '1.0.7' })
  await expect(migrate(url, quietLog, { ...own, version: '0.9.9' })).rejects.toThrow(OtherSchemaError)
  await expect(countPendingMigrations(client)).rejects.toThrow(
    `created by Lectern 1.1.0, whose schema differs from Lectern ${version}`,
  )
})

// A migration waits for seconds before it tries again, so that these tests wait at the same time.
it.concurrent('waits for a table that is read for long without keeping others from it', async () => {
  const url = await openMade('lectern_migrate_table')
  await using client = await connect({ connectionString: url })
  await client.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE')
  const { lines, log } = recordLog('debug')
  const migrating = migrate(url, log, next)
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('is waiting for a table'))
  expect(await appliedTo(url)).toEqual(['schema.sql'])
  expect(await query(url, 'SELECT FROM users')).toEqual([])
  await client.query('COMMIT')
  await migrating
  expect(await appliedTo(url)).toEqual(['schema.sql', '0001_shelf.sql'])
})

it.concurrent('fails as a database does that is away when its connection is lost between two statements', async () => {
  const url = await openMade('lectern_migrate_lost')
  await using client = await connect({ connectionString: url })
  await client.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE')
  const { lines, log } = recordLog('debug')
  const migrating = migrate(url, log, next).catch((error: unknown) => error)
  await expect.poll(() => lines).toContainEqual(expect.stringContaining('is waiting for a table'))
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  expect(isDatabaseUnavailable(await migrating)).toBe(true)
})

it('keeps what was applied before a file that fails, and nothing of that file', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_migrate_failed')
  await expect(migrate(url, quietLog, { ...next, files: [...next.files, failing] })).rejects.toThrow('division by zero')
  expect(await appliedTo(url)).toEqual(['schema.sql', '0001_shelf.sql'])
  expect(await query(url, `SELECT to_regclass('shelves') AS shelves`)).toEqual([{ shelves: null }])
})

it('describes the tables as schema.sql makes them', async () => {
  const url = await createDatabase(inject('postgresUrl'), 'lectern_schema', templateName)
  expect(() => generateSchema(url, { verify: true })).not.toThrow()
})

it('versions are older than those after them', () => {
  const versions = ['0.9.0', '0.9.9', '0.10.0', '1.0.0-rc.1', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0']
  for (const [at, one] of versions.entries())
    expect(versions.map((other) => isOlder(one, other))).toEqual(versions.map((_, after) => at < after))
})

it('the next release is the next minor one', () => {
  const next = ['1.3.0-rc.1', '1.3.0', '1.3.9', '1.2.0', '1.2.2', '1.4.0', '2.3.0', '0.3.0', 'x']
  expect(next.filter((version) => isNextRelease('1.2.1', version))).toEqual(['1.3.0-rc.1', '1.3.0', '1.3.9'])
})

/** The most that a migration may change while servers of the previous release run: see CONTRIBUTING.md. */
const additions = [
  ...['notes', 'documents', 'users', 'sessions', 'ratings', 'known_devices', 'uploads'].map(
    (table) => `ALTER TABLE ${table} ADD COLUMN later integer NOT NULL DEFAULT 7`,
  ),
  'CREATE TABLE shelves (note_id uuid PRIMARY KEY REFERENCES notes ON DELETE CASCADE)',
]

/** Shares, finds, opens, likes, changes and deletes a note. */
async function useLectern(test: TestApp, author: TestUser, reader: TestUser): Promise<void> {
  async function ask(user: TestUser, method: 'GET' | 'PATCH' | 'DELETE', url: string, payload?: object) {
    const response = await test.app.inject({ method, url, headers: user.auth, ...(payload && { payload }) })
    expect(response.statusCode, `${url}: ${response.body}`).toBeLessThan(300)
    return response
  }
  expect((await logIn(test, author.email)).statusCode).toBe(200)
  const title = `Week ${randomBytes(4).toString('hex')}`
  const shared = await upload(test, author, [...goodFields, file(undefined, `${title}.pdf`)])
  const id = shared.json().notes[0]._id
  const listed = await ask(reader, 'GET', `/api/notes?title=${encodeURIComponent(title)}`)
  expect(listed.json().notes).toMatchObject([{ _id: id }])
  const found = await ask(reader, 'GET', `/api/search?text=${encodeURIComponent(title)}`)
  expect(found.json().hits).toMatchObject([{ note: { _id: id } }])
  await ask(reader, 'GET', `/api/notes/${id}/view`)
  await ask(reader, 'PATCH', `/api/notes/${id}/rating`, { likes: '+' })
  const own = `/api/users/me/notes/${id}`
  await ask(author, 'PATCH', own, { courseCode: 'CSC108', academicYear: '2025–26', isAnonymous: true })
  await ask(author, 'DELETE', own)
}

it('a server goes on while the next release migrates its database, and starts there again', async () => {
  const test = await openTestApp()
  const [author, reader] = [await createUser(test), await createUser(test)]
  await useLectern(test, author, reader)
  const own = await readRelease()
  let isMigrated = false
  const users = [1, 2, 3].map(async () => {
    do await useLectern(test, author, reader)
    while (!isMigrated)
  })
  const files = additions.map((text, n) => toSqlFile(`000${n + 1}_later.sql`, text))
  const next = { version: '1.1.0', files: [...own.files, ...files] }
  await migrate(test.databaseUrl, quietLog, next)
  isMigrated = true
  await Promise.all(users)
  await useLectern(test, author, reader)
  await migrate(test.databaseUrl, quietLog, { ...own, version: '1.0.0' })
  await useLectern(await openTestAppOn(test), author, reader)
})
