import pg from 'pg'
import { expect, it } from 'vitest'
import { startTcpServer } from '../../testing/smtp-server.ts'
import type { Log } from '../observability/log.ts'
import { isDatabaseUnavailable, retryUntilDatabaseIsUp } from './database-unavailable.ts'

const away = (message: string, code: string) => Object.assign(new Error(message), { code, severity: 'FATAL' })
const refused = away('connect ECONNREFUSED', 'ECONNREFUSED')
const full = away('could not extend file: No space left on device', '53100')

/** Runs work that fails with these reasons, one after the other. */
async function startWith(reasons: Error[]) {
  const warnings: string[] = []
  const log = { warn: (text: string) => void warnings.push(text) } as unknown as Log
  let done = 0
  const work = async () => {
    const reason = reasons[done++]
    if (reason) throw reason
  }
  const ended = await retryUntilDatabaseIsUp(log, work, { retryMs: 1 }).catch((error) => error)
  return { warnings, done, ended }
}

it('logs each reason for waiting, and not every attempt', async () => {
  const { warnings, done } = await startWith([refused, refused, full, full, full])
  expect(warnings).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('No space left')])
  expect(done).toBe(6)
})

it('does not wait for what is no matter of waiting', async () => {
  const wrong = away('syntax error', '42601')
  expect(await startWith([refused, wrong])).toMatchObject({ done: 2, ended: wrong })
})

it('waits for a PostgreSQL that accepts connections and does not answer', async () => {
  const silent = await startTcpServer(() => {})
  const client = new pg.Client({ host: '127.0.0.1', port: silent.port, connectionTimeoutMillis: 50 })
  const error = await client.connect().catch((error: Error) => error)
  expect(error).toBeInstanceOf(Error)
  expect(isDatabaseUnavailable(error)).toBe(true)
  await silent.close()
})
