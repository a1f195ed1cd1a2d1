import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onTestEnd } from '../../testing/after-test.ts'
import { openTestApp } from '../../testing/app.ts'
import { createNote, createUser } from '../../testing/factories.ts'
import { quietLog } from '../../testing/log.ts'
import { openPool } from './pool.ts'
import { roleSettings } from './set-local.ts'

const test = await openTestApp()

/** Opens a single connection, so that every statement runs after those before it in the same session. */
function openOne(isPrepared: boolean) {
  const opened = openPool(test.databaseUrl, 1, quietLog, { isPrepared })
  onTestEnd(() => opened.db.destroy())
  const countNames = async () => (await opened.pool.query('SELECT count(*) FROM pg_prepared_statements')).rows[0].count
  return { ...opened, countNames }
}

it('a statement is prepared once on a connection, whatever its values', async () => {
  const { db, countNames } = openOne(true)
  for (const n of [1, 2, 3]) expect((await sql`SELECT ${n}::integer AS n`.execute(db)).rows).toEqual([{ n }])
  expect(await countNames()).toBe(1)
})

it('a connection keeps a bounded number of statements, and sends the others without a name', async () => {
  const { db, countNames } = openOne(true)
  for (let n = 0; n < 450; n++) {
    const { rows } = await sql`SELECT ${n}::integer AS ${sql.id(`n${n}`)}`.execute(db)
    expect(rows).toEqual([{ [`n${n}`]: n }])
  }
  expect(await countNames()).toBe(400)
})

it('nothing is prepared with DATABASE_PREPARED=off', async () => {
  const { db, countNames } = openOne(false)
  expect((await sql`SELECT ${1}::integer AS n`.execute(db)).rows).toEqual([{ n: 1 }])
  expect(await countNames()).toBe(0)
})

it('every connection has the settings of the role', async () => {
  const names = Object.keys(roleSettings)
  const { rows } = await sql<{ name: string; value: string }>`
    SELECT name, current_setting(name) AS value FROM unnest(${names}::text[]) name`.execute(test.deps.db)
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(roleSettings)
})

it('prepared statements keep working when a migration adds columns', async () => {
  const user = await createUser(test)
  const noteId = await createNote(test, user)
  const urls = [
    '/api/notes',
    '/api/users/me',
    '/api/users/me/notes',
    '/api/users/me/notes/liked',
    `/api/notes/${noteId}`,
  ]
  const ask = () => Promise.all(urls.map((url) => test.app.inject({ url, headers: user.auth })))
  const before = await ask()
  for (const table of ['notes', 'users', 'documents', 'ratings', 'sessions']) {
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN added text DEFAULT 'x'`.execute(test.deps.db)
  }
  const after = await ask()
  expect(after.map(({ statusCode }) => statusCode)).toEqual(urls.map(() => 200))
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
})
