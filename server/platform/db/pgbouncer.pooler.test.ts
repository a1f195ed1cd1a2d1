import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, openTestAppOn } from '../../testing/app.ts'
import { get, rate } from '../../testing/students.ts'
import { inTransaction } from './transaction.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)

const timeouts = sql<{ statement: string; idle: string }>`
  SELECT current_setting('statement_timeout') AS statement,
         current_setting('idle_in_transaction_session_timeout') AS idle`

it('behind a pooler, statements have the settings of the role, and a read its own, which no other has', async () => {
  const own = await inTransaction(test.deps.db, (tx) => timeouts.execute(tx))
  expect(own.rows).toEqual([{ statement: '15s', idle: '15s' }])
  const read = await test.deps.queryWithTimeout({ id: 'somebody', role: 'student' }, 1_234, (tx) =>
    timeouts.execute(tx),
  )
  expect(read.rows).toEqual([{ statement: '1234ms', idle: '15s' }])
  const afterwards = await Promise.all(Array.from({ length: 20 }, () => timeouts.execute(test.deps.db)))
  for (const { rows } of afterwards) expect(rows).toEqual([{ statement: '15s', idle: '15s' }])
})

it('behind a pooler, a single statement is cancelled, and no other one', async () => {
  const endless = sql`SELECT pg_sleep(${3_600})`.execute(test.deps.db)
  const others = async () => {
    for (let n = 0; n < 200; n++) await sql`SELECT pg_sleep(${0.1})`.execute(other.deps.db)
  }
  await Promise.all([expect(endless).rejects.toMatchObject({ code: '57014' }), others()])
})

it('behind a pooler, a crowd is answered over fewer connections than it would take', async () => {
  const user = await createUser(test)
  const noteId = await createNote(test, await createUser(test))
  const asked = Array.from({ length: 100 }, (_, n) => {
    const server = n % 2 === 0 ? test : other
    if (n % 4 > 0) return get(server, '/api/notes', user.auth)
    return rate(server, user, noteId, { likes: n % 8 === 0 ? '+' : '-' })
  })
  expect((await Promise.all(asked)).filter(({ statusCode }) => statusCode !== 200)).toEqual([])
})
