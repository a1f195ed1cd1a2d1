import { expect, it } from 'vitest'
import { openTestApp, openTestAppOn } from '../../testing/app.ts'
import { onTestEnd } from '../../testing/data-folder.ts'
import { startProxy } from '../../testing/proxy.ts'
import { expectRefusal } from '../../testing/refusal.ts'

const test = await openTestApp()

it('is not ready without a database to read from, and names the state of each part', async () => {
  const proxy = await startProxy(test.databaseUrl)
  const other = await openTestAppOn({ ...test, databaseUrl: proxy.url })
  proxy.cut()
  const answer = await other.app.inject({ url: '/readyz' })
  expectRefusal(answer, 'unavailable')
  expect(answer.json().fields).toEqual({ database: 'failed', storage: 'failed', spool: 'ok' })
  proxy.restore()
  await expect.poll(async () => (await other.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  onTestEnd(() => proxy.close())
})
