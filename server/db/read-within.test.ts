import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { readWithin } from './read-within.ts'

const { db } = (await openTestApp()).deps
const readTimeout = sql<{ statement_timeout: string }>`SHOW statement_timeout`

it('ends a read that takes too long, which is refused as busy', async () => {
  const reading = readWithin(db, 50, (tx) => sql`SELECT pg_sleep(600)`.execute(tx))
  await expect(reading).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 })
})

it('leaves the limit of other statements alone', async () => {
  const before = await readTimeout.execute(db)
  const { rows } = await readWithin(db, 1_234, (tx) => readTimeout.execute(tx))
  expect(rows).toEqual([{ statement_timeout: '1234ms' }])
  expect((await readTimeout.execute(db)).rows).toEqual(before.rows)
})

it('passes on what else goes wrong', async () => {
  await expect(readWithin(db, 1_000, (tx) => sql`SELECT 1 / 0`.execute(tx))).rejects.toMatchObject({ code: '22012' })
})
