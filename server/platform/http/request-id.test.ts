import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createUser, openTestApp, openTestAppOn } from '../../testing/app.ts'
import { recordLog } from '../../testing/log.ts'

const { lines, log } = recordLog('info')
const test = await openTestApp({ TRUST_PROXY: '10.0.0.0/8, ::1', SLOW_QUERY_MS: '1' }, log)
const student = await createUser(test)
beforeEach(() => void lines.splice(0))

type From = { remoteAddress?: string; headers?: Record<string, string> }
/** Returns the ids in the log lines of one request. */
async function idsOf({ remoteAddress = '10.1.2.3', headers = {} }: From): Promise<(string | undefined)[]> {
  await test.app.inject({ url: '/api/notes', remoteAddress, headers: { ...headers, ...student.auth } })
  return [...new Set(lines.map((line) => JSON.parse(line).reqId).filter(Boolean))]
}

it('the id of a request is taken from a trusted proxy', async () => {
  expect(await idsOf({ headers: { 'x-request-id': 'proxy-1.a_B' } })).toEqual(['proxy-1.a_B'])
  lines.splice(0)
  expect(await idsOf({ remoteAddress: '::ffff:10.1.2.3', headers: { 'x-request-id': 'mapped' } })).toEqual(['mapped'])
})

it.each([
  ['another peer sends one', '203.0.113.7', 'forged'],
  ['it would end a comment', '10.1.2.3', "a'*/; DROP TABLE notes --"],
  ['it is too long', '10.1.2.3', 'a'.repeat(61)],
  ['it is empty', '10.1.2.3', ''],
])('the id of a request is a new one where %s', async (_why, remoteAddress, given) => {
  const ids = await idsOf({ remoteAddress, headers: { 'x-request-id': given } })
  expect(ids).toEqual([expect.stringMatching(/^[\da-f]{32}$/)])
})

it('the id of a request is never taken from others with REQUEST_IDS=own', async () => {
  const own = await openTestAppOn(test, { TRUST_PROXY: '10.0.0.0/8', REQUEST_IDS: 'own' }, log)
  const headers = { 'x-request-id': 'passed-on', ...student.auth }
  expect((await own.app.inject({ url: '/api/notes', remoteAddress: '10.1.2.3', headers })).statusCode).toBe(200)
  expect(lines.join('')).not.toContain('passed-on')
  expect(lines.join('')).toMatch(/"reqId":"[\da-f]{32}"/)
})

it('the id of a request is there with a slow statement, which holds nothing that was typed', async () => {
  const headers = { 'x-request-id': 'slow-one', ...student.auth }
  test.app.log.level = 'info'
  await test.app.inject({ url: '/api/notes?title=zyzzx', remoteAddress: '10.1.2.3', headers })
  await sql`SELECT pg_sleep(0.01), ${'zyzzx'}::text`.execute(test.deps.db)
  const slow = lines.map((line) => JSON.parse(line)).filter(({ msg, jobId }) => msg === 'Slow query' && !jobId)
  expect(slow.at(-1)).toMatchObject({ statement: 'SELECT pg_sleep(0.01), $1::text', ms: expect.any(Number) })
  expect(slow.slice(0, -1).every(({ reqId }) => reqId === 'slow-one')).toBe(true)
  expect(JSON.stringify(slow)).not.toContain('zyzzx')
})

describe('a proxy that TRUST_PROXY does not name', () => {
  const warnings = () => lines.filter((line) => line.includes('X-Forwarded-For'))
  const forwarded = (remoteAddress: string) =>
    unnamed.app.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-for': '198.51.100.9' } })
  let unnamed: Awaited<ReturnType<typeof openTestAppOn>>
  beforeEach(async () => {
    unnamed = await openTestAppOn(test, { TRUST_PROXY: '10.0.0.1' }, log)
    lines.splice(0)
  })

  it('is pointed out once, with its address', async () => {
    await forwarded('10.0.0.1')
    expect(warnings()).toEqual([])
    for (let n = 0; n < 3; n++) await forwarded('10.0.0.2')
    expect(warnings()).toEqual([expect.stringContaining('X-Forwarded-For came from 10.0.0.2, which TRUST_PROXY')])
  })

  it('is not named where it may be a student', async () => {
    await forwarded('203.0.113.7')
    expect(warnings()).toEqual([expect.stringContaining('came from an address of the internet')])
    expect(lines.join('')).not.toContain('203.0.113.7')
  })
})
