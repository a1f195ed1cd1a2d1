import pg from 'pg'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { openTestApp } from '../../testing/app.ts'
import { getIpKey } from './addresses.ts'
import { createRateLimits } from './rate-limits.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const pools = [1, 2].map(() => new pg.Pool({ connectionString: test.databaseUrl, max: 3 }))
afterAll(async () => void (await Promise.all(pools.map((pool) => pool.end()))))
const on = { rateLimit: true, databasePrepared: true }
const [one, other] = pools.map((pool) => createRateLimits(pool, on))
if (!one || !other) throw new Error('Two servers were made')

let made = 0
const newLimit = (points = 3) => ({ name: `limit${made++}`, points, seconds: 60 })
const limited = { code: 'rate_limited' }

it('limits of several servers forget, and take one back', async () => {
  const limit = newLimit()
  for (let n = 0; n < 3; n++) await one.consume(limit, 'ada')
  await other.refund(limit, 'ada')
  await one.consume(limit, 'ada')
  await expect(one.consume(limit, 'ada')).rejects.toMatchObject(limited)
  await other.reset(limit, 'ada')
  await one.consume(limit, 'ada')
})

it('limits of several servers store no key in clear', async () => {
  await one.consume(newLimit(), 'zyxwvut@uni.example 198.51.100.7')
  const rows = await test.deps.db.selectFrom('rate_limits').select('key').execute()
  expect(JSON.stringify(rows)).not.toMatch(/zyxwvut|198\.51/)
})

it('limits of several servers count nothing where they are off', async () => {
  const off = createRateLimits(pools[0] as pg.Pool, { ...on, rateLimit: false })
  const limit = newLimit(1)
  for (let n = 0; n < 5; n++) await off.consume(limit, 'ada')
  await off.reset(limit, 'ada')
  await off.refund(limit, 'ada')
  const rows = await test.deps.db
    .selectFrom('rate_limits')
    .select('key')
    .where('key', 'like', `${limit.name}:%`)
    .execute()
  expect(rows).toEqual([])
})

it('each server counts for itself while PostgreSQL is away', async () => {
  const away = new pg.Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 })
  onTestFinished(() => away.end())
  const alone = createRateLimits(away, on)
  const limit = newLimit()
  for (let n = 0; n < 3; n++) await alone.consume(limit, 'ada')
  await expect(alone.consume(limit, 'ada')).rejects.toMatchObject(limited)
})

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:198.51.100.7', '198.51.100.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('a limit by address counts %s as %s', (ip, network) => {
  expect(getIpKey(ip)).toBe(network)
})
