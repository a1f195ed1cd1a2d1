import { expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { expectRefusal } from '../test/refusal.ts'

const test = await openTestApp()
const get = (url: string) => test.app.inject({ url })

it('serves and is ready', async () => {
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
  expect((await get('/readyz')).json()).toEqual({ status: 'ok' })
})

it('serves but is not ready while it starts, and waits for nothing then', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  test.deps.startup.done = false
  try {
    expectRefusal(await get('/readyz'), 'unavailable')
    expect((await get('/healthz')).statusCode).toBe(200)
    // The time-out of a check that should never have begun would come to nobody.
    await new Promise((resolve) => setTimeout(resolve, 3_500))
    expect(unhandled).toEqual([])
  } finally {
    test.deps.startup.done = true
    process.off('unhandledRejection', note)
  }
})

it('is not ready while the storage does not answer, and is again once it does', async () => {
  const check = test.deps.files.check
  test.deps.files.check = async () => {
    throw new Error('The disk is gone')
  }
  expectRefusal(await get('/readyz'), 'unavailable')
  test.deps.files.check = check
  expect((await get('/readyz')).statusCode).toBe(200)
})
