import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { messages, tooLong } from '../../../../packages/contract/fields.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { createUser, itWithUsers, noLists, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { countRows, expectNoRows, expectRefusal, expectStatus, toComparable } from '../../../testing/refusal.ts'
import {
  accessOf,
  cookieOf,
  countSessions,
  get,
  getMe,
  logIn,
  post,
  register,
  resetPassword,
} from '../../../testing/students.ts'
import { labelDevice } from './known-devices.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const overHttps = await openTestAppOn(test, { PUBLIC_URL: 'https://notes.example.org' })
const { db } = test.deps
const wrongPassword = 'Not the desk 42!'

it('POST /api/users/login starts a session and answers with the access token and the user', async () => {
  const user = await createUser(test, { name: 'Ada Okafor' })
  const before = await countRows(test)
  const response = await expectStatus(200, logIn(test, ` ${user.email.toUpperCase()} `, ` ${password} `))
  expect(response.json()).toEqual({
    accessToken: expect.any(String),
    user: { _id: user.id, name: 'Ada Okafor', email: user.email, ...noLists, version: expect.any(String) },
  })
  expect(response.headers['cache-control']).toBe('no-store')
  const [sessions, refreshTokens] = [Number(before?.sessions) + 1, Number(before?.refreshTokens) + 1]
  expect(await countRows(test)).toEqual({ ...before, sessions, refreshTokens })
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

it('POST /api/users/login binds the cookie to the host where Lectern is served over https (C15)', async ({ user }) => {
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
  const response = await expectStatus(200, post(test, '/api/users/login', { email: victim.email, password }, planted))
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
  for (const email of [user.email, 'waiting@uni.example', 'an invalid email'])
    expect(toComparable(await logIn(test, email, wrongPassword))).toEqual(toComparable(unknown))
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
  ['an email that is an object', { email: { $gt: '' }, password }, fillAllFields],
  ['an email of 10 kB', { email: 'a'.repeat(10_000), password }, invalidEmail],
  ['a password of 1 MB', { email: 'ada@uni.example', password: 'x'.repeat(2 ** 20) }, tooLong(128)],
])('POST /api/users/login refuses, starting no session, %s', async (_what, payload, message) => {
  const response = await expectNoRows(test, () => post(test, '/api/users/login', payload))
  expectRefusal(response, 'invalid_input', message)
  expect(response.headers['set-cookie']).toBeUndefined()
})

it('handles five hundred simultaneous logins without an error, and serves reads meanwhile (E21)', async ({ user }) => {
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

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Logs in from a browser. @returns its device cookie for later logins. */
async function logInFrom(email: string, cookie?: string, { app } = test): Promise<string> {
  const headers = { 'user-agent': firefox, ...(cookie && { cookie }) }
  const response = await expectStatus(200, post({ app }, '/api/users/login', { email, password }, headers))
  const device = response.cookies.find(({ name }) => name.endsWith('lectern-device'))
  return `${device?.name}=${device?.value}`
}

/** The login itself inserts its alert, so a count of zero means that no mail will follow. */
const countAlerts = async ({ id }: { id: string }) =>
  (await db.selectFrom('security_alerts').select('id').where('user_id', '=', id).execute()).length

it('a login on a new device: mails of the first login on another device, and of no other', async ({ user }) => {
  const home = await logInFrom(user.email)
  expect(await countAlerts(user)).toBe(0)
  const library = await logInFrom(user.email)
  const mail = await waitForMail(test, user.email)
  expect(mail.subject).toBe('New login to your Lectern account')
  expect(mail.text).toContain('Firefox on Linux, 20')
  await logInFrom(user.email, home)
  await logInFrom(user.email, library)
  expect(await countAlerts(user)).toBe(1)
})

it('a login on a new device: mails of the first login of an account that is not new', async ({ user }) => {
  await sql`UPDATE users SET created_at = now() - interval '2 days' WHERE id = ${user.id}`.execute(db)
  await logInFrom(user.email)
  await waitForMail(test, user.email)
})

it('a login on a new device: knows a browser that two students share', async ({ mia, ben }) => {
  const shared = await logInFrom(ben.email, await logInFrom(mia.email))
  await logInFrom(ben.email, await logInFrom(mia.email, shared))
  expect([await countAlerts(mia), await countAlerts(ben)]).toEqual([0, 0])
  // The database must not show which accounts share a browser.
  const devices = await db.selectFrom('known_devices').select('device_hash').execute()
  expect(new Set(devices.map(({ device_hash }) => device_hash.toString('hex'))).size).toBe(devices.length)
})

it('a login on a new device: takes a cookie of another’s making for a new device', async ({ user }) => {
  const [name] = (await logInFrom(user.email)).split('=')
  for (const value of ['', 'x', `${'A'.repeat(22)}.forged`, '%00.%00']) {
    const before = await countAlerts(user)
    await logInFrom(user.email, `${name}=${value}`)
    expect(await countAlerts(user)).toBe(before + 1)
  }
})

it('a login on a new device: mails of no failed login, and ends a thief’s session by its link', async ({ user }) => {
  await logInFrom(user.email)
  const wrong = { email: user.email, password: 'Not the desk 42!' }
  expectRefusal(await post(test, '/api/users/login', wrong), 'invalid_credentials')
  expect(await countAlerts(user)).toBe(0)
  await logInFrom(user.email)
  const token = tokenOf(await waitForMail(test, user.email))
  expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
  expect(await countSessions(test, user)).toBe(0)
})

it('a login on a new device: forgets a browser that its student has reported', async ({ user }) => {
  await logInFrom(user.email)
  const thief = await logInFrom(user.email)
  const token = tokenOf(await waitForMail(test, user.email))
  const { resetToken } = (await post(test, '/api/users/not-me', { token })).json()
  await resetPassword(test, resetToken, password)
  const before = await countAlerts(user)
  await logInFrom(user.email, thief)
  expect(await countAlerts(user)).toBe(before + 1)
  await logInFrom(user.email, thief)
  expect(await countAlerts(user)).toBe(before + 1)
})

it('a login on a new device: fills no mailbox for a thief of a password: ten emails an hour', async ({ user }) => {
  await logInFrom(user.email)
  // The limit must hold for parallel logins.
  await Promise.all(Array.from({ length: 12 }, () => logInFrom(user.email)))
  expect(await countAlerts(user)).toBe(10)
  await waitForMail(test, user.email, 10)
})

const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${chrome} Mobile Safari/537.36 SamsungBrowser/25.0`,
    'Samsung Internet on Android',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/120.0.0.0`, 'Opera on Linux'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/18.5 Safari/605.1.15`, 'Safari on Mac'],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${apple} Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [`Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${apple} CriOS/140.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPad'],
  ['', null],
  [undefined, null],
])('a login on a new device: calls %s %s', (userAgent, label) => {
  expect(labelDevice(userAgent)).toBe(label)
})

it('a login on a new device: reads a megabyte as quickly as a line', () => {
  expect(labelDevice(`${'Version/1 '.repeat(100_000)}Firefox/140.0`)).toBe(null)
})
