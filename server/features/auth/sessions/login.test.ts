import { expect, it, vi } from 'vitest'
import { messages, tooLong } from '../../../../packages/contract/fields.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { createUser, noLists, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { countRows, expectRefusal, toComparable } from '../../../testing/refusal.ts'
import { accessOf, cookieOf, get, getMe, logIn, post, register } from '../../../testing/students.ts'

const test = await openTestApp()
const overHttps = await openTestAppOn(test, { PUBLIC_URL: 'https://notes.example.org' })
const { db } = test.deps

const wrongPassword = 'Not the desk 42!'

it('POST /api/users/login starts a session and answers with the access token and the user', async () => {
  const user = await createUser(test, { name: 'Ada Okafor' })
  const before = await countRows(test)
  const response = await logIn(test, ` ${user.email.toUpperCase()} `, ` ${password} `)

  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    accessToken: expect.any(String),
    user: { _id: user.id, name: 'Ada Okafor', email: user.email, ...noLists, version: expect.any(String) },
  })
  expect(response.headers['cache-control']).toBe('no-store')
  expect(await countRows(test)).toEqual({
    ...before,
    sessions: Number(before?.sessions) + 1,
    refreshTokens: Number(before?.refreshTokens) + 1,
  })
  expect((await getMe(test, accessOf(response))).json().user).toEqual(response.json().user)
})

it('POST /api/users/login keeps the refresh token from scripts and other sites, and stores its hash (C15)', async () => {
  const user = await createUser(test)
  const [cookie, device, ...others] = (await logIn(test, user.email)).cookies
  expect(others).toEqual([])
  const kept = (name: string, value: RegExp, days: number) => ({
    ...{ name, value: expect.stringMatching(value), maxAge: days * 24 * 3600 },
    ...{ path: '/', httpOnly: true, sameSite: 'Strict' },
  })
  expect(device).toEqual(kept('lectern-device', /^[\w-]{22}\.[\w-]{43}$/, 365))
  expect(cookie).toEqual(kept('lectern-refresh', /^[\w-]{43}$/, 30))
  const hash = hashToken(String(cookie?.value))
  const stored = await db.selectFrom('refresh_tokens').selectAll().where('token_hash', '=', hash).execute()
  expect(stored).toMatchObject([{ rotated_at: null }])
})

it('POST /api/users/login binds the cookie to the host where Lectern is served over https (C15)', async () => {
  const user = await createUser(test)
  const response = await logIn(overHttps, user.email)
  expect(response.cookies).toMatchObject([
    { name: '__Host-lectern-refresh', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' },
    { name: '__Host-lectern-device', secure: true, httpOnly: true, sameSite: 'Strict', path: '/' },
  ])
  expect(String(response.headers['set-cookie'])).not.toMatch(/domain/i)
})

it('POST /api/users/login replaces a cookie that someone else has set before (C20)', async () => {
  const [attacker, victim] = await Promise.all([createUser(test), createUser(test)])
  const planted = cookieOf(await logIn(test, attacker.email))
  const response = await post(test, '/api/users/login', { email: victim.email, password }, planted)
  expect(response.statusCode).toBe(200)
  expect(cookieOf(response)).not.toEqual(planted)

  const refreshed = await post(test, '/api/users/auth/refresh', undefined, planted)
  expect((await getMe(test, accessOf(refreshed))).json().user._id).toBe(attacker.id)
})

it('POST /api/users/login refuses, starting no session, an unknown email, a wrong password and a wrong one of an unverified account alike (C1, B11)', async () => {
  const user = await createUser(test)
  await register(test, 'waiting@uni.example')
  const before = await countRows(test)
  const unknown = await logIn(test, 'nobody@uni.example')
  expectRefusal(unknown, 'invalid_credentials', 'Invalid email or password')
  expect(unknown.headers['set-cookie']).toBeUndefined()
  for (const email of [user.email, 'waiting@uni.example', 'an invalid email']) {
    expect(toComparable(await logIn(test, email, wrongPassword))).toEqual(toComparable(unknown))
  }
  expect(await countRows(test)).toEqual(before)
})

it('POST /api/users/login refuses, starting no session, an unverified account with the right password (B11)', async () => {
  await register(test, 'patient@uni.example')
  const before = await countRows(test)
  const response = await logIn(test, 'patient@uni.example')
  expectRefusal(response, 'email_not_verified', 'Please verify your email before logging in.')
  expect(response.headers['set-cookie']).toBeUndefined()
  expect(await countRows(test)).toEqual(before)
})

it('POST /api/users/login refuses, starting no session, an unknown email after the same work as a known one (C1)', async () => {
  const user = await createUser(test)
  const verify = vi.spyOn(test.deps.passwords, 'verify')
  const find = vi.spyOn(test.deps.passwords, 'find')
  await logIn(test, user.email, wrongPassword)
  await logIn(test, 'nobody@uni.example', wrongPassword)
  // The hasher's test covers that an empty list costs a hash, too; comparing times is a measurement, not a test.
  expect(verify.mock.calls).toEqual([[wrongPassword, expect.any(String)]])
  expect(find.mock.calls).toEqual([[wrongPassword, []]])
})

const { fillAllFields, invalidEmail } = messages
it.each([
  ['no email', { password }, fillAllFields],
  ['no password', { email: 'ada@uni.example' }, fillAllFields],
  ['blanks', { email: ' \t', password: ' \n' }, fillAllFields],
  ['nothing', undefined, fillAllFields],
  ['a list', [], fillAllFields],
  ['an email that is an object', { email: { $gt: '' }, password }, fillAllFields],
  ['a password that is a list', { email: 'ada@uni.example', password: [password] }, fillAllFields],
  ['an email of 10 kB', { email: 'a'.repeat(10_000), password }, invalidEmail],
  ['a password of 1 MB', { email: 'ada@uni.example', password: 'x'.repeat(2 ** 20) }, tooLong(128)],
])('POST /api/users/login refuses, starting no session, %s', async (_what, payload, message) => {
  const before = await countRows(test)
  const response = await post(test, '/api/users/login', payload)
  expectRefusal(response, 'invalid_input', message)
  expect(response.headers['set-cookie']).toBeUndefined()
  expect(await countRows(test)).toEqual(before)
})

it('handles five hundred simultaneous logins without an error, and serves reads meanwhile (E21)', async () => {
  const user = await createUser(test)
  let compared = 0
  const logins = Array.from({ length: 500 }, async (_, n) => {
    const answer = await logIn(test, user.email, n % 2 ? password : wrongPassword)
    if (answer.statusCode !== 503) compared++
    return answer
  })
  const reads = await Promise.all(Array.from({ length: 20 }, () => get(test, '/api/notes', user.auth)))
  expect(reads.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  const comparedBefore = compared

  const answers = await Promise.all(logins)
  expect(comparedBefore).toBeLessThan(compared)
  const statuses = new Set(answers.map(({ statusCode }) => statusCode))
  expect([...statuses].filter((status) => ![200, 401, 503].includes(status))).toEqual([])
  expect(statuses).toContain(200)
  const busy = answers.find(({ statusCode }) => statusCode === 503)
  if (busy) expectRefusal(busy, 'busy')
  expect(Number(busy?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await logIn(test, user.email)).statusCode).toBe(200)
})
