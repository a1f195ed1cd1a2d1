import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { expectRefusal } from '../test/refusal.ts'

const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
const test = await openTestApp({}, log)
const get = (url: string) => test.app.inject({ url })

it('serves and is ready', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).json()).toEqual({ status: 'ok' })
})

it('serves but is not ready while it starts, and waits for nothing then', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  test.deps.startup.done = false
  try {
    expectRefusal(await get('/readyz'), 'unavailable')
    expect((await get('/healthz')).statusCode).toBe(200)
    // The time-out of a check that should never have begun would come to nobody.
    expect(timers).not.toHaveBeenCalled()
  } finally {
    test.deps.startup.done = true
  }
})

it('is asked during the start at the cost of no line for 20 s, and of one line each time after that', async () => {
  const uptime = vi.spyOn(process, 'uptime')
  test.deps.startup.done = false
  const before = lines.length
  try {
    uptime.mockReturnValue(19)
    for (let n = 0; n < 3; n++) await get('/readyz')
    expect(lines).toHaveLength(before)
    uptime.mockReturnValue(21)
    for (let n = 0; n < 3; n++) await get('/readyz')
  } finally {
    test.deps.startup.done = true
    uptime.mockRestore()
  }
  const logged = lines.slice(before).map((line) => JSON.parse(line))
  expect(logged.map(({ msg }) => msg)).toEqual(Array(3).fill('GET /readyz is refused: unavailable: still starting'))
  expect(lines.slice(before).join('')).not.toContain('stack')
})

it('is not ready while the storage does not answer, and is again once it does', async () => {
  const check = test.deps.files.check
  test.deps.files.check = async () => {
    throw new Error('The disk is gone')
  }
  const before = lines.length
  expectRefusal(await get('/readyz'), 'unavailable')
  expect(lines.slice(before)).toHaveLength(1)
  expect(lines[before]).toContain('GET /readyz is refused: unavailable: The disk is gone')
  test.deps.files.check = check
  expect((await get('/readyz')).statusCode).toBe(200)
})
