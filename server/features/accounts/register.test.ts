import { expect, it, vi } from 'vitest'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { quietLog } from '../../testing/log.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { countRows, expectNoRows, expectRefusal, expectStatus, toComparable } from '../../testing/refusal.ts'
import { logIn, newEmail, post } from '../../testing/students.ts'
import { hoursUntil } from '../../testing/times.ts'
import { owaspCost } from '../auth/passwords/hasher.ts'

const test = await openTestApp({}, quietLog, { passwordCost: owaspCost })
const { db } = test.deps
const register = (payload: object | string, headers = {}) =>
  test.app.inject({ method: 'POST', url: '/api/users/', headers, payload })

const form = (change: object = {}) => {
  const usual = { name: 'Grace Hopper', email: newEmail(), password, confirmPassword: password }
  return { ...usual, ...change }
}

const findRegistrations = (email: string) =>
  db.selectFrom('registrations').selectAll().where('email', '=', email).execute()

it.each(['/api/users/', '/api/users'])('POST /api/users/ takes a registration at %s and mails a link', async (url) => {
  const email = newEmail()
  const before = await countRows(test)
  const payload = form({ name: '  Grace Hopper ', email: ` ${email.toUpperCase()} ` })
  const response = await expectStatus(201, test.app.inject({ method: 'POST', url, payload }))
  expect(response.json()).toEqual({
    message:
      'Registration successful! A verification link has been sent to your email. Please check your inbox to activate your account.',
  })
  expect(response.headers['set-cookie']).toBeUndefined()
  const [registrations, accountMails] = [Number(before?.registrations) + 1, Number(before?.accountMails) + 1]
  expect(await countRows(test)).toEqual({ ...before, registrations, accountMails })
  const [registration, ...others] = await findRegistrations(email)
  expect(others).toEqual([])
  expect(registration).toMatchObject({ name: 'Grace Hopper', user_id: null })
  expect(registration?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const mail = await waitForMail(test, email)
  expect(mail.subject).toBe('Verify your email for Lectern')
  expect(mail.link).toMatch(/^http:\/\/localhost:3000\/verify\?token=[\w-]{43}$/)
  const tokens = db.selectFrom('account_tokens').where('token_hash', '=', hashToken(tokenOf(mail)))
  const token = await tokens.selectAll().executeTakeFirstOrThrow()
  expect(token).toMatchObject({ purpose: 'verify', registration_id: registration?.id })
  expect(hoursUntil(token.expires_at)).toBeCloseTo(24, 1)
})

it('POST /api/users/ answers a taken email exactly like a new one, and informs only the mailbox (C2)', async () => {
  const taken = await createUser(test, { email: newEmail() })
  const account = db.selectFrom('users').innerJoin('passwords', 'user_id', 'id').selectAll().where('id', '=', taken.id)
  const before = await account.execute()
  const fresh = await register(form())
  const again = await expectStatus(201, register(form({ email: taken.email.toUpperCase(), name: 'Somebody Else' })))
  expect(toComparable(again)).toEqual(toComparable(fresh))
  expect(await findRegistrations(taken.email)).toEqual([])
  expect(await account.execute()).toEqual(before)
  const mail = await waitForMail(test, taken.email)
  expect(mail.subject).toBe('You already have a Lectern account')
  expect(mail.text).toContain(`Hello ${taken.name.split(' ')[0]},`)
  expect(mail.text).not.toContain('token=')
})

const unusual = ['A 10', 'ångström Straße 5€', 'Päss wörd 😀 9', `Aa1!${'x'.repeat(124)}`, `Aa1${'😀'.repeat(125)}`]
it.each(unusual)('POST /api/users/ takes %j for a password', async (text) => {
  const typed = text === 'A 10' ? 'A  10 spaces! ok' : text
  expect((await register(form({ password: typed, confirmPassword: ` ${typed} ` }))).statusCode).toBe(201)
})

it('POST /api/users/ is the same password in every Unicode form, and with blanks around (C18)', async () => {
  const email = newEmail()
  const typed = ' Pa\u0308ss wo\u0308rd 9! '
  const registered = await register(form({ email, password: typed, confirmPassword: 'P\u00e4ss w\u00f6rd 9!' }))
  expect(registered.statusCode).toBe(201)
  const token = tokenOf(await waitForMail(test, email))
  await post(test, '/api/users/verify', { token })
  for (const each of [typed, 'P\u00e4ss w\u00f6rd 9!', '\tPa\u0308ss w\u00f6rd 9!\n'])
    expect((await logIn(test, email, each)).statusCode).toBe(200)
  expectRefusal(await logIn(test, email, 'Pass word 9!'), 'invalid_credentials')
})

it('POST /api/users/ keeps every accepted registration, and none that it refused as too busy', async () => {
  const before = await countRows(test)
  const answers = await Promise.all(Array.from({ length: 100 }, () => register(form())))
  const taken = answers.filter(({ statusCode }) => statusCode === 201)
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(taken.length).toBeGreaterThan(0)
  for (const response of refused) {
    expectRefusal(response, 'busy')
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
  const [registrations, accountMails] = [before?.registrations, before?.accountMails].map(
    (n) => Number(n) + taken.length,
  )
  expect(await countRows(test)).toEqual({ ...before, registrations, accountMails })
})

it('POST /api/users/ takes a name in any script and mails to one recipient only (C6)', async () => {
  const email = newEmail()
  const name = `Zoë "Z",\r\nBcc: eve@evil.example\u202e O’Neil`
  expect((await register(form({ email, name }))).statusCode).toBe(201)
  const mail = await waitForMail(test, email)
  expect(mail.to).toBe(email)
  expect(mail.text).not.toContain('evil.')
  expect(mail.html).not.toContain('evil.')
})

const { fillAllFields, invalidEmail } = messages
const { passwordsDiffer, weakPassword } = accountMessages
const weak = (text: string) => ({ password: text, confirmPassword: text })
const all = ['name', 'email', 'password', 'confirmPassword']
const cases: [string, object, string, string[]][] = [
  ['an empty form', { name: '', email: ' ', password: '', confirmPassword: '  ' }, fillAllFields, all],
  ['no name', { name: undefined }, fillAllFields, ['name']],
  ['what is missing before what is wrong', { email: 'nobody', password: ' ' }, fillAllFields, ['email', 'password']],
  ['a wrong email before differing passwords', { email: 'nobody', password: 'x' }, invalidEmail, all.slice(1)],
  ['differing passwords before weak ones', { password: 'x', confirmPassword: 'y' }, passwordsDiffer, all.slice(2)],
  ['a password of 9 characters that are 12 code units', weak('Aa1!56😀😀😀'), weakPassword, ['password']],
  ['129 characters', weak(`Aa1!${'x'.repeat(125)}`), 'Use at most 128 characters.', ['password']],
  ['an email without a host', { email: 'ada@' }, invalidEmail, ['email']],
  ['an email with a second header', { email: 'ada@uni.example\r\nBcc: eve@evil.example' }, invalidEmail, ['email']],
  ['two emails', { email: 'ada@uni.example,eve@evil.example' }, invalidEmail, ['email']],
  ['a quoted email', { email: '"ada eve@evil.example"@uni.example' }, invalidEmail, ['email']],
  ['a group of emails', { email: 'all: ada@uni.example, a: eve@evil.example;;' }, invalidEmail, ['email']],
  ['an email of 255 characters', { email: `${'a'.repeat(243)}@uni.example` }, invalidEmail, ['email']],
  ['a name that shows nothing', { name: '\u200b\u3164' }, fillAllFields, ['name']],
  ['a name of 10 kB', { name: 'a'.repeat(10_000) }, 'Use at most 100 characters.', ['name']],
  ['an email that is an object', { email: { $ne: '' } }, fillAllFields, ['email']],
  ['a password that is a number', { password: 1234567890 }, fillAllFields, ['password']],
]
it.each(cases)('POST /api/users/ refuses, leaving nothing behind: %s', async (_what, change, message, fields) => {
  const response = await expectNoRows(test, () => register(form(change)))
  expectRefusal(response, 'invalid_input', message)
  expect(Object.keys(response.json().fields).sort()).toEqual([...fields].sort())
})

const common = ['Password123!', 'P@ssw0rd123', 'India@1234', 'Lectern123!', 'Grace.Hopper1']
it.each(common)('POST /api/users/ refuses, leaving nothing behind: the common password %s', async (password) => {
  const response = await expectNoRows(test, () => register(form({ password, confirmPassword: password })))
  expectRefusal(response, 'common_password')
  expect(response.json().fields).toEqual({ password: response.json().message })
})

it.each<[string, string | undefined, Record<string, string>, number, string?]>([
  ['no body', undefined, {}, 400, fillAllFields],
  ['a list', '[]', { 'content-type': 'application/json' }, 400, fillAllFields],
  ['broken JSON', '{"name":', { 'content-type': 'application/json' }, 400],
  ['an empty JSON body', '', { 'content-type': 'application/json' }, 400],
  ['a prototype', '{"__proto__":{"name":"a"}}', { 'content-type': 'application/json' }, 400],
  ['a constructor', '{"constructor":{"prototype":{"a":1}}}', { 'content-type': 'application/json' }, 400],
  ['JSON called text', JSON.stringify(form()), { 'content-type': 'text/plain' }, 400, fillAllFields],
  ['JSON called by a malformed type', JSON.stringify(form()), { 'content-type': 'application/json\ta' }, 415],
  ['a form', 'name=a&email=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ['a multipart form', '--x--\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 400, fillAllFields],
])('POST /api/users/ refuses, leaving nothing: %s (B7, B9)', async (_what, payload, headers, status, message) => {
  const request = { method: 'POST', url: '/api/users/', headers, ...(payload !== undefined && { payload }) } as const
  const response = await expectNoRows(test, () => test.app.inject(request))
  expect(response.statusCode).toBe(status)
  expect(Object.keys(response.json()).filter((key) => !['message', 'code', 'fields'].includes(key))).toEqual([])
  if (message) expect(response.json().message).toBe(message)
})

it.each([
  ['a password of 1 MB', 'x'.repeat(2 ** 20)],
  ['a password that is slow to normalise', `a${'\u0315\u0300'.repeat(2 ** 19 / 2)}`],
])('POST /api/users/ refuses, leaving nothing behind: %s, before any work on it (C18)', async (_what, text) => {
  const before = await countRows(test)
  const payload = JSON.stringify(form({ password: text, confirmPassword: text }))
  const normalised = vi.spyOn(String.prototype, 'normalize')
  const response = await register(payload, { 'content-type': 'application/json' })
  // Normalising before the length check takes seconds on any machine.
  expect(Math.max(0, ...normalised.mock.contexts.map((one) => String(one).length))).toBeLessThan(1_000)
  expectRefusal(response, 'invalid_input', 'Use at most 128 characters.')
  expect(await countRows(test)).toEqual(before)
})

it('POST /api/users/ refuses, leaving nothing behind: and then sends no mail', () => {
  expect(mailsTo(test, 'ada@uni.example')).toEqual([])
  expect(test.mails.filter(({ to }) => to.includes('evil'))).toEqual([])
})
