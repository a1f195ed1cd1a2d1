import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { atEnd } from '../test/at-end.ts'
import { createNote, createUser } from '../test/factories.ts'
import { plannedForAll } from './planned-for-its-values.ts'
import { openPool } from './pool.ts'

const test = await openTestApp()
await sql`CREATE TABLE things (id integer PRIMARY KEY, name text)`.execute(test.deps.db)
await sql`INSERT INTO things SELECT n, 'thing ' || n FROM generate_series(1, 5) n`.execute(test.deps.db)

/** One connection, so that every statement meets those before it. */
function openOne() {
  const lines: string[] = []
  const opened = openPool(test.databaseUrl, 1, pino({ level: 'warn' }, { write: (line) => void lines.push(line) }))
  atEnd(() => opened.db.destroy())
  return { ...opened, lines }
}
type One = ReturnType<typeof openOne>

const findThing = (db: One['db'], id: number) => sql`SELECT * FROM things WHERE id = ${id}`.execute(db)
const countNames = async ({ pool }: One) =>
  (await pool.query('SELECT count(*) FROM pg_prepared_statements')).rows[0].count

describe('statements', () => {
  it('are prepared once on a connection, whatever their values', async () => {
    const one = openOne()
    for (const id of [1, 2, 3]) expect((await findThing(one.db, id)).rows).toEqual([{ id, name: `thing ${id}` }])
    expect(await countNames(one)).toBe(1)
  })

  it('that are planned for their values get no name', async () => {
    const one = openOne()
    await findThing(one.unprepared, 1)
    expect(await countNames(one)).toBe(0)
  })

  it('that are planned for their values but say that their plan is always the same get one', async () => {
    const one = openOne()
    for (const id of [1, 2]) {
      const { rows } = await sql`SELECT ${plannedForAll} * FROM things WHERE id = ${id}`.execute(one.unprepared)
      expect(rows).toHaveLength(1)
    }
    expect(await countNames(one)).toBe(1)
  })

  it('have no more names on a connection than its memory is worth, and go on without', async () => {
    const one = openOne()
    for (let n = 0; n < 450; n++) {
      const { rows } = await sql`SELECT ${n}::integer AS ${sql.id(`n${n}`)}`.execute(one.db)
      expect(rows).toEqual([{ [`n${n}`]: n }])
    }
    expect(await countNames(one)).toBe(400)
  })

  it('outlive a migration that changes what they answer', async () => {
    const one = openOne()
    await findThing(one.db, 1)
    await sql`ALTER TABLE things ADD COLUMN colour text DEFAULT 'blue'`.execute(test.deps.db)
    expect((await findThing(one.db, 1)).rows).toEqual([{ id: 1, name: 'thing 1', colour: 'blue' }])
    // Under a new name, on a new connection.
    await findThing(one.db, 1)
    expect(await countNames(one)).toBe(1)
  })

  it('of a transaction that meets such a migration fail as a whole, and pass when tried again', async () => {
    const one = openOne()
    await findThing(one.db, 2)
    await sql`ALTER TABLE things ADD COLUMN size integer DEFAULT 7`.execute(test.deps.db)
    const rename = () =>
      one.db.transaction().execute(async (tx) => {
        await sql`UPDATE things SET name = name || '!' WHERE id = ${2}`.execute(tx)
        return findThing(tx, 2)
      })
    await expect(rename()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 })
    expect((await rename()).rows).toMatchObject([{ name: 'thing 2!', size: 7 }])
  })

  it('go without names behind a pooler that does not keep them', async () => {
    const one = openOne()
    await findThing(one.db, 3)
    // What another connection of the pooler looks like.
    await one.pool.query('DEALLOCATE ALL')
    expect((await findThing(one.db, 3)).rows).toMatchObject([{ id: 3 }])
    await findThing(one.db, 3)
    expect(await countNames(one)).toBe(0)
    expect(one.lines).toHaveLength(1)
    expect(one.lines[0]).toContain('no longer prepared')
  })

  it('pass on what else goes wrong', async () => {
    const { db } = openOne()
    await expect(sql`SELECT 1 / ${0}::integer`.execute(db)).rejects.toMatchObject({ code: '22012' })
  })
})

it('answers on as the tables grow under a running server', async () => {
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
