import { afterAll, expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { quietLog } from '../test/log.ts'
import { isBehindPooler } from './new-connection.ts'
import { openPool } from './pool.ts'

const test = await openTestApp()
const { pool, db } = openPool(test.databaseUrl, 1, quietLog)
afterAll(() => db.destroy())

it('a connection has its settings before it is used, and keeps them', async () => {
  const read = `SELECT current_setting('statement_timeout') AS statement, current_setting('max_parallel_workers_per_gather') AS workers,
                       current_setting('idle_in_transaction_session_timeout') AS idle`
  for (let n = 0; n < 2; n++) {
    expect((await pool.query(read)).rows).toEqual([{ statement: '15s', workers: '0', idle: '15s' }])
  }
})

it('a connection to PostgreSQL itself is known for what it is', async () => {
  const client = await pool.connect()
  expect(isBehindPooler(client)).toBe(false)
  client.release()
})
