import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { onTestEnd } from '../../testing/data-folder.ts'
import { quietLog } from '../../testing/log.ts'
import { ApiError } from '../http/api-error.ts'
import { noTracing, runInContext } from '../observability/telemetry.ts'
import { openPool } from './pool.ts'
import { createQueryWithTimeout } from './query-with-timeout.ts'
import { roleSettings } from './set-local.ts'
import type { Viewer } from './viewer.ts'

const test = await openTestApp()

/** Opens a single connection, so that every statement runs after those before it in the same session. */
function openOne(isPrepared: boolean) {
  const opened = openPool(test.databaseUrl, 1, quietLog, { isPrepared })
  onTestEnd(() => opened.db.destroy())
  const countNames = async () => (await opened.pool.query('SELECT count(*) FROM pg_prepared_statements')).rows[0].count
  return { ...opened, countNames }
}

it.each([true, false])('a statement is prepared once on a connection, unless switched off: %s', async (isPrepared) => {
  const { db, countNames } = openOne(isPrepared)
  for (const n of [1, 2, 3]) expect((await sql`SELECT ${n}::integer AS n`.execute(db)).rows).toEqual([{ n }])
  expect(await countNames()).toBe(Number(isPrepared))
})

it('a connection keeps a bounded number of statements, and sends the others without a name', async () => {
  const { db, countNames } = openOne(true)
  for (let n = 0; n < 450; n++) {
    const { rows } = await sql`SELECT ${n}::integer AS ${sql.id(`n${n}`)}`.execute(db)
    expect(rows).toEqual([{ [`n${n}`]: n }])
  }
  expect(await countNames()).toBe(400)
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
  const me = '/api/users/me'
  const urls = ['/api/notes', me, `${me}/notes`, `${me}/notes/liked`, `/api/notes/${noteId}`]
  const ask = () => Promise.all(urls.map((url) => test.app.inject({ url, headers: user.auth })))
  const before = await ask()
  for (const table of ['notes', 'users', 'documents', 'ratings', 'sessions'])
    await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN added text DEFAULT 'x'`.execute(test.deps.db)
  const after = await ask()
  expect(after.map(({ statusCode }) => statusCode)).toEqual(urls.map(() => 200))
  expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
})

const poolSize = 6
const { db, queryWithTimeout } = (await openTestApp({ DATABASE_POOL_SIZE: String(poolSize) })).deps
const makeViewer = (): Viewer => ({ id: crypto.randomUUID(), role: 'student' })
const ada = makeViewer()
const readTimeout = sql<{ statement_timeout: string }>`SHOW statement_timeout`

it('ends a read that takes too long, which is refused as busy, and no other statement', async () => {
  const reading = queryWithTimeout(ada, 50, (tx) => sql`SELECT pg_sleep(600)`.execute(tx))
  await expect(reading).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 })
  const before = await readTimeout.execute(db)
  const { rows } = await queryWithTimeout(ada, 1_234, (tx) => readTimeout.execute(tx))
  expect(rows).toEqual([{ statement_timeout: '1234ms' }])
  expect((await readTimeout.execute(db)).rows).toEqual(before.rows)
  const dividing = queryWithTimeout(ada, 1_000, (tx) => sql`SELECT 1 / 0`.execute(tx))
  await expect(dividing).rejects.toMatchObject({ code: '22012' })
})

it('leaves two thirds of the pool to others, and refuses what exceeds its line', async () => {
  const readOne = createQueryWithTimeout(db, poolSize)
  const atOnce = poolSize / 3
  let running = 0
  let most = 0
  const end = Promise.withResolvers<void>()
  const read = (viewer = makeViewer()) =>
    readOne(viewer, 60_000, async (tx) => {
      most = Math.max(most, ++running)
      await end.promise
      running--
      return sql`SELECT 1`.execute(tx)
    })
  const reads = Array.from({ length: poolSize * 10 }, () => read())
  const settled = Promise.allSettled(reads)
  // The queue refuses the read before anything is read.
  await expect(reads.at(-1)).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 })
  await expect.poll(() => running, { timeout: 30_000 }).toBe(atOnce)
  // All other connections are in use at the same time.
  await Promise.all(Array.from({ length: poolSize - atOnce }, () => sql`SELECT 1`.execute(db)))
  end.resolve()
  const done = (await settled).filter(({ status }) => status === 'fulfilled')
  expect(most).toBe(atOnce)
  expect(done).toHaveLength(atOnce + atOnce * 16)
  await expect(read()).resolves.toMatchObject({ rows: [{}] })
})

it('refuses a student with too many simultaneous requests, and answers the others', async () => {
  const readOne = createQueryWithTimeout(db, poolSize)
  const end = Promise.withResolvers<void>()
  const adas = Array.from({ length: 50 }, () => readOne(ada, 60_000, () => end.promise))
  const settled = Promise.allSettled(adas)
  await expect(adas.at(-1)).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 })
  // These wait while the user's first read still runs.
  const others = Array.from({ length: 20 }, () => readOne(makeViewer(), 60_000, (tx) => sql`SELECT 1`.execute(tx)))
  expect(await Promise.all(others)).toHaveLength(20)
  end.resolve()
  expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(1 + 16)
})

it('reads nothing for a client that has closed its connection while it waited', async () => {
  const readOne = createQueryWithTimeout(db, poolSize)
  const end = Promise.withResolvers<void>()
  const first = readOne(ada, 60_000, () => end.promise)
  const closed = new AbortController()
  const work = { kind: 'request' as const, id: 'given-up', span: noTracing.begin('request', 'GET') }
  const read = vi.fn(async () => {})
  const waiting = runInContext({ ...work, signal: closed.signal }, () => readOne(ada, 60_000, read))
  const second = expect(waiting).rejects.toMatchObject({ code: 'malformed_request' })
  const third = readOne(ada, 60_000, async () => 'the third')
  closed.abort(new ApiError('malformed_request'))
  end.resolve()
  await first
  await second
  expect(await third).toBe('the third')
  expect(read).not.toHaveBeenCalled()
})
