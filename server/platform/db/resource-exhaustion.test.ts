import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNote, createUser, openTestApp, openTestAppOn } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { rate } from '../../testing/students.ts'

const test = await openTestApp()
const role = `crowded_${randomBytes(6).toString('hex')}`
const password = randomBytes(12).toString('hex')
const admin = new pg.Client({ connectionString: test.databaseUrl })
const reader = await createUser(test)
const noteId = await createNote(test, await createUser(test))
const like = () => rate(test, reader, noteId, { likes: '+' })

/** Opens a server whose role can be refused more connections, as PostgreSQL does when all are taken. */
async function openAsRole() {
  const database = new URL(test.databaseUrl).pathname.slice(1)
  const owner = new URL(test.databaseUrl).username
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' IN ROLE pg_read_all_data, pg_write_all_data`)
  await admin.query(`GRANT ALL ON DATABASE "${database}" TO ${role}; GRANT "${owner}" TO ${role}`)
  const url = new URL(test.databaseUrl)
  url.username = role
  url.password = password
  return openTestAppOn({ databaseUrl: url.href, mails: [] })
}
beforeAll(() => admin.connect())
afterAll(() => admin.end())

it('no connection left in PostgreSQL is 503 with Retry-After, and over when there is one again (E12)', async () => {
  const crowded = await openAsRole()
  const list = () => crowded.app.inject({ url: '/api/notes', headers: reader.auth })
  expect((await list()).statusCode).toBe(200)
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`)
  await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1`, [role])
  await expect.poll(async () => (await list()).statusCode).toBe(503)
  const refused = await list()
  expectRefusal(refused, 'unavailable')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`)
  await expect.poll(async () => (await list()).statusCode).toBe(200)
})

it('a full disk of PostgreSQL refuses writes with 503 and keeps nothing, while reads go on (E13)', async () => {
  await admin.query(`
    CREATE FUNCTION refuse_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON ratings EXECUTE FUNCTION refuse_full()`)
  expectRefusal(await like(), 'unavailable')
  const note = async () => (await test.app.inject({ url: `/api/notes/${noteId}`, headers: reader.auth })).json()
  expect(await note()).toMatchObject({ _id: noteId, likes: 0 })
  await admin.query('DROP TRIGGER full_disk ON ratings')
  expect((await like()).statusCode).toBe(200)
  expect(await note()).toMatchObject({ likes: 1 })
})

it('a server that has just been promoted and is still read-only refuses writes with 503, until they succeed', async () => {
  const database = new URL(test.databaseUrl).pathname.slice(1)
  const reconnect = () =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await admin.query(`ALTER DATABASE "${database}" SET default_transaction_read_only = on`)
  await reconnect()
  // More requests than the pool has connections, so that some are new ones.
  for (let n = 0; n < 10; n++) expectRefusal(await like(), 'unavailable')
  await admin.query(`ALTER DATABASE "${database}" RESET default_transaction_read_only`)
  await reconnect()
  await expect.poll(async () => (await like()).statusCode).toBe(200)
})
