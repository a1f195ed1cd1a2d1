import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { ApiError } from '../../../platform/http/api-error.ts'
import { createUser, itWithUsers, openTestApp, openTestAppOn, password, type TestApp } from '../../../testing/app.ts'
import { expectNoRows, expectRefusal, expectStatus, toComparable } from '../../../testing/refusal.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const it = itWithUsers(test)
const other = await openTestAppOn(test, { RATE_LIMIT: 'on' })
const behindProxy = await openTestAppOn(test, { RATE_LIMIT: 'on', TRUST_PROXY: '10.0.0.0/8' })
const { db } = test.deps
const wrongPassword = 'Not the desk 42!'
type Attempt = { email: string; password?: string; from: string; headers?: Record<string, string>; server?: TestApp }
const tryLogin = ({ email, password = wrongPassword, from, headers = {}, server = test }: Attempt) => {
  const payload = { email, password }
  return server.app.inject({ method: 'POST', url: '/api/users/login', remoteAddress: from, headers, payload })
}

let hosts = 0
/** Returns an address that no other test has used. */
const newAddress = () => `198.51.100.${++hosts}`

/** Returns the statuses of consecutive attempts. */
async function tryOften(times: number, attempt: (n: number) => Attempt): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await tryLogin(attempt(n))).statusCode)
  return statuses
}

const latestCount = sql`SELECT points FROM rate_limits WHERE key LIKE 'login-address:%' ORDER BY expire DESC LIMIT 1`
const wrong = (times: number) => Array<number>(times).fill(401)
const limited = (times: number) => Array<number>(times).fill(429)

describe('failed logins (C16)', () => {
  it('are ten for each account and address, whatever the request’s headers claim', async ({ user: { email } }) => {
    const from = newAddress()
    const begunAt = performance.now()
    const names = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']
    const forge = (n: number) => Object.fromEntries(names.map((name) => [name, `203.0.113.${n}`]))
    const headers = (n: number) => ({ ...forge(n), forwarded: `for=203.0.113.${n}` })
    expect(await tryOften(14, (n) => ({ email, from, headers: headers(n) }))).toEqual([...wrong(10), ...limited(4)])
    const response = await expectNoRows(test, () => tryLogin({ email, password, from }))
    expectRefusal(response, 'rate_limited')
    expect(response.json().message).toMatch(/^Too many attempts. Please try again in 1[45] minutes.$/)
    const retryAfterSeconds = Number(response.headers['retry-after'])
    // The window has already lost the time that the attempts took.
    expect(retryAfterSeconds).toBeGreaterThan(15 * 60 - (performance.now() - begunAt) / 1_000 - 1)
    expect(retryAfterSeconds).toBeLessThanOrEqual(15 * 60)
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  it('are not those that the server could not check', async ({ user: { email } }) => {
    const from = newAddress()
    const verify = vi.spyOn(test.deps.passwords, 'verify')
    verify.mockRejectedValue(new ApiError('busy', { retryAfterSeconds: 1 }))
    expect(await tryOften(12, () => ({ email, from }))).toEqual(Array(12).fill(503))
    verify.mockRestore()
    expect(await tryOften(11, () => ({ email, from }))).toEqual([...wrong(10), ...limited(1)])
  })

  it('lock no user out: the right password works from another address, and for other accounts', async () => {
    const [victim, neighbour] = await Promise.all([createUser(test), createUser(test)])
    const attacker = newAddress()
    expect(await tryOften(11, () => ({ email: victim.email, from: attacker }))).toEqual([...wrong(10), ...limited(1)])
    expect((await tryLogin({ email: victim.email, password, from: newAddress() })).statusCode).toBe(200)
    expect((await tryLogin({ email: neighbour.email, password, from: attacker })).statusCode).toBe(200)
  })

  it('are the same for an unknown email', async () => {
    const from = newAddress()
    const { email } = await createUser(test)
    const known = await tryOften(11, () => ({ email, from }))
    expect(await tryOften(11, () => ({ email: 'nobody@uni.example', from }))).toEqual(known)
    const answers = [await tryLogin({ email, from }), await tryLogin({ email: 'nobody@uni.example', from })]
    for (const answer of answers) delete answer.headers['retry-after']
    expect(toComparable(answers[0] as (typeof answers)[0])).toEqual(toComparable(answers[1] as (typeof answers)[0]))
  })

  it('are forgotten after a success', async ({ user: { email } }) => {
    const from = newAddress()
    expect(await tryOften(9, () => ({ email, from }))).toEqual(wrong(9))
    expect((await tryLogin({ email, password, from })).statusCode).toBe(200)
    expect(await tryOften(10, () => ({ email, from }))).toEqual(wrong(10))
  })

  it('are over after the announced time', async ({ user: { email } }) => {
    const from = newAddress()
    await tryOften(11, () => ({ email, from }))
    await sql`UPDATE rate_limits SET expire = ${Date.now() - 1}`.execute(db)
    expect((await tryLogin({ email, password, from })).statusCode).toBe(200)
  })

  it('are counted by all servers together, exactly also when they are simultaneous', async ({ user: { email } }) => {
    const from = newAddress()
    const attempts = Array.from({ length: 40 }, (_, n) => tryLogin({ email, from, server: n % 2 ? test : other }))
    const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([...wrong(10), ...limited(30)])
  })

  it('that are refused unseen take nothing from the others behind the address', async ({ user: { email } }) => {
    const from = newAddress()
    expect(await tryOften(30, () => ({ email, from }))).toEqual([...wrong(10), ...limited(20)])
    expect((await latestCount.execute(db)).rows).toEqual([{ points: 10 }])
  })

  it('are a thousand for each address over all accounts (F5), of which successes take none', async ({
    user: { email },
  }) => {
    const from = newAddress()
    expect((await tryLogin({ email, from })).statusCode).toBe(401)
    for (let n = 0; n < 3; n++) expect((await tryLogin({ email, password, from })).statusCode).toBe(200)
    expect((await latestCount.execute(db)).rows).toEqual([{ points: 1 }])
    // The counter simulates the next 998 attempts on other accounts.
    await sql`UPDATE rate_limits SET points = 999 WHERE key LIKE 'login-address:%'`.execute(db)
    expect((await tryLogin({ email, password, from })).statusCode).toBe(200)
    expect(await tryOften(3, (n) => ({ email: `guess${n}@uni.example`, from }))).toEqual([...wrong(1), ...limited(2)])
    expect((await tryLogin({ email, password, from: newAddress() })).statusCode).toBe(200)
  })

  it('count a network of IPv6 as one address, since one student has 2^64 of them', async ({ user: { email } }) => {
    expect(await tryOften(12, (n) => ({ email, from: `2001:db8:1:2::${n}:1` }))).toEqual([...wrong(10), ...limited(2)])
    expect((await tryLogin({ email, password, from: '2001:db8:1:3::1' })).statusCode).toBe(200)
  })
})

describe('a device that has logged in before (F5)', () => {
  const usedUp = (limit: string) => sql`UPDATE rate_limits SET points = 1000 WHERE key LIKE ${`${limit}:%`}`.execute(db)
  const deviceOf = (login: LightMyRequestResponse) => {
    const cookie = login.cookies.find(({ name }) => name === 'lectern-device')
    return { cookie: `lectern-device=${cookie?.value}` }
  }

  it('passes where failures of others have used the limits of account and address up', async () => {
    const [{ email }, neighbour] = await Promise.all([createUser(test), createUser(test)])
    const from = newAddress()
    const headers = deviceOf(await tryLogin({ email, password, from }))
    expect(await tryOften(11, () => ({ email, from }))).toEqual([...wrong(10), ...limited(1)])
    await usedUp('login-address')
    expectRefusal(await tryLogin({ email: neighbour.email, password, from }), 'rate_limited')
    expectRefusal(await tryLogin({ email, password, from }), 'rate_limited')
    const response = await expectStatus(200, tryLogin({ email, password, from, headers, server: other }))
    expect((await tryLogin({ email, password, from, headers: deviceOf(response) })).statusCode).toBe(200)
  })

  it('passes for the account it has logged in to, and for no other', async () => {
    const [{ email }, victim] = await Promise.all([createUser(test), createUser(test)])
    const from = newAddress()
    const headers = deviceOf(await tryLogin({ email, password, from }))
    expect(await tryOften(12, () => ({ email: victim.email, from, headers }))).toEqual([...wrong(10), ...limited(2)])
  })

  it('has a separate limit of ten failures, from every address', async ({ user: { email } }) => {
    const headers = deviceOf(await tryLogin({ email, password, from: newAddress() }))
    expect(await tryOften(12, () => ({ email, from: newAddress(), headers }))).toEqual([...wrong(10), ...limited(2)])
    const response = await tryLogin({ email, password, from: newAddress(), headers })
    expectRefusal(response, 'rate_limited')
    expect(response.cookies).toEqual([])
    expect((await tryLogin({ email, password, from: newAddress() })).statusCode).toBe(200)
  })

  it('cannot be pretended', async ({ user: { email } }) => {
    const from = newAddress()
    const [, nonce = '', signature = ''] = deviceOf(await tryLogin({ email, password, from })).cookie.split(/[=.]/)
    expect(await tryOften(10, () => ({ email, from }))).toEqual(wrong(10))
    for (const value of ['', 'x', '.', `${nonce}.`, `${nonce}x.${signature}`, `x.${signature}`, `${nonce}.%00`]) {
      const headers = { cookie: `lectern-device=${value}` }
      expect((await tryLogin({ email, password, from, headers })).statusCode).toBe(429)
    }
  })

  it('is recognised by nothing that names the account', async () => {
    const { email, id } = await createUser(test)
    const value = decodeURIComponent(deviceOf(await tryLogin({ email, password, from: newAddress() })).cookie)
    for (const part of value.split(/[=.]/)) {
      const plain = Buffer.from(part, 'base64url').toString()
      for (const known of [email, id]) expect(part + plain).not.toContain(known)
    }
  })
})

describe('behind a proxy', () => {
  it('the address is the one that the trusted proxy names', async ({ user: { email } }) => {
    const from = '10.1.2.3'
    const via = (client: string) => ({ 'x-forwarded-for': client })
    const headers = via('203.0.113.77')
    const statuses = await tryOften(11, () => ({ email, from, headers, server: behindProxy }))
    expect(statuses).toEqual([...wrong(10), ...limited(1)])
    // An address that the client itself wrote precedes the one that the proxy adds, and does not count.
    const forged = await tryLogin({ email, from, headers: via('192.0.2.1, 203.0.113.77'), server: behindProxy })
    expect(forged.statusCode).toBe(429)
    const another = await tryLogin({ email, password, from, headers: via('203.0.113.78'), server: behindProxy })
    expect(another.statusCode).toBe(200)
  })

  it('headers of other peers are ignored', async ({ user: { email } }) => {
    const from = newAddress()
    const headers = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` })
    const statuses = await tryOften(11, (n) => ({ email, from, headers: headers(n), server: behindProxy }))
    expect(statuses).toEqual([...wrong(10), ...limited(1)])
  })
})
