import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { openTestApp } from '../../testing/app.ts'
import { recordLog } from '../../testing/log.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { createLifecycle } from './health.ts'

const { lines, log } = recordLog('info')
const test = await openTestApp({}, log)
const get = (url: string) => test.app.inject({ url })
afterEach(() => {
  test.deps.lifecycle.phase = 'serving'
})

it('serves and is ready', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  const parts = { database: 'ok', storage: 'ok', spool: 'ok' }
  expect((await get('/readyz')).json()).toEqual({ status: 'ok', parts })
})

it('serves but is not ready while it starts, and waits for nothing then', async () => {
  const check = vi.spyOn(test.deps.spool, 'check')
  test.deps.lifecycle.phase = 'starting'
  expectRefusal(await get('/readyz'), 'unavailable')
  expect((await get('/healthz')).statusCode).toBe(200)
  expect(check).not.toHaveBeenCalled()
})

it('is asked during the start at the cost of no line for 20 s, and of one line each time after that', async () => {
  const uptime = vi.spyOn(process, 'uptime')
  test.deps.lifecycle.phase = 'starting'
  const before = lines.length
  uptime.mockReturnValue(19)
  for (let n = 0; n < 3; n++) await get('/readyz')
  expect(lines).toHaveLength(before)
  uptime.mockReturnValue(21)
  for (let n = 0; n < 3; n++) await get('/readyz')
  const logged = lines.slice(before).map((line) => JSON.parse(line))
  expect(logged.map(({ msg }) => msg)).toEqual(Array(3).fill('GET /readyz is refused: unavailable: still starting'))
  expect(lines.slice(before).join('')).not.toContain('stack')
})

it('is not ready while it drains, serves everything else, and asks clients to reconnect', async () => {
  expect((await get('/api/config')).headers.connection).not.toBe('close')
  test.deps.lifecycle.phase = 'draining'
  const before = lines.length
  expectRefusal(await get('/readyz'), 'unavailable')
  expect(lines).toHaveLength(before)
  for (const url of ['/healthz', '/api/config', '/']) {
    const { statusCode, headers } = await get(url)
    expect([url, statusCode, headers.connection]).toEqual([url, 200, 'close'])
  }
})

it('answers requests that come during a short start when it is over', async () => {
  const { lifecycle } = test.deps
  const started = Promise.withResolvers<void>()
  test.deps.lifecycle = Object.assign(createLifecycle(), { started: started.promise })
  const starting = await buildApp(test.deps, false)
  const answer = starting.inject({ url: '/api/config' })
  await setImmediate()
  test.deps.lifecycle.phase = 'serving'
  started.resolve()
  expect((await answer).statusCode).toBe(200)
  test.deps.lifecycle = lifecycle
  await starting.close()
})

it('stays ready while the storage does not respond, and reports it', async () => {
  const { check } = test.deps.files
  test.deps.files.check = () => Promise.reject(new Error('The disk is gone'))
  const answer = await get('/readyz')
  test.deps.files.check = check
  const parts = { database: 'ok', storage: 'failed', spool: 'ok' }
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'degraded', parts }])
})
