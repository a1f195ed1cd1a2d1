import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { createUser, itWithUsers, openTestApp, password, type TestUser } from '../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { recordRequestSql } from '../../testing/record-request-sql.ts'
import {
  countRows,
  expectNoRows,
  expectRefusal,
  expectStatus,
  expectSuccesses,
  toComparable,
} from '../../testing/refusal.ts'
import {
  accessOf,
  cookieOf,
  getMe,
  logIn,
  newEmail,
  post,
  register,
  requestReset,
  resetPassword,
} from '../../testing/students.ts'
import { hoursUntil } from '../../testing/times.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

const verify = (token: unknown) => post(test, '/api/users/verify', { token })
const resend = (email: string, typed = password) => post(test, '/api/users/verify/resend', { email, password: typed })
const findUsers = (email: string) =>
  db.selectFrom('users').innerJoin('passwords', 'user_id', 'id').selectAll().where('email', '=', email).execute()
const findRegistrations = (email: string) =>
  db.selectFrom('registrations').selectAll().where('email', '=', email).orderBy('created_at').execute()
const expired = { expires_at: sql<Date>`now() - interval '1 second'` }
const expire = (token: string) =>
  db.updateTable('account_tokens').set(expired).where('token_hash', '=', hashToken(token)).execute()

it('POST /api/users/verify makes the account of the registration', async () => {
  const email = newEmail()
  const token = await register(test, email)
  const [registration] = await findRegistrations(email)
  expect(await findUsers(email)).toEqual([])
  expect((await expectStatus(200, verify(token))).json()).toEqual({ message: 'Email verified. You can log in now.' })
  const [user, ...others] = await findUsers(email)
  expect(others).toEqual([])
  expect(user).toMatchObject({ name: 'Grace Hopper', password_hash: registration?.password_hash })
  // The password is stored once.
  expect(await findRegistrations(email)).toMatchObject([{ user_id: user?.id, password_hash: '' }])
  expect((await logIn(test, email)).statusCode).toBe(200)
})

it('POST /api/users/verify is a success again for the same link, even once it would have expired (C8)', async () => {
  const email = newEmail()
  const token = await register(test, email)
  expect((await verify(token)).statusCode).toBe(200)
  const [user] = await findUsers(email)
  expect((await verify(token)).statusCode).toBe(200)
  await expire(token)
  expect((await verify(token)).statusCode).toBe(200)
  expect(await findUsers(email)).toEqual([user])
})

it('POST /api/users/verify is not used up by programs that look at the page (C8)', async () => {
  const email = newEmail()
  const token = await register(test, email)
  for (let n = 0; n < 20; n++) {
    const method = n % 2 === 0 ? 'GET' : 'HEAD'
    await test.app.inject({ method, url: `/verify?token=${token}`, headers: { accept: 'text/html' } })
    expect((await test.app.inject({ method, url: `/api/users/verify?token=${token}` })).statusCode).toBe(404)
  }
  expect(await findUsers(email)).toEqual([])
  expect((await verify(token)).statusCode).toBe(200)
})

it('POST /api/users/verify refuses an expired link, again and again, and makes no account', async () => {
  const email = newEmail()
  const token = await register(test, email)
  await expire(token)
  await expectNoRows(test, async () => {
    for (let n = 0; n < 2; n++) expectRefusal(await verify(token), 'verification_link_expired', 'Expired link')
  })
  expectRefusal(await logIn(test, email), 'email_not_verified')
})

it.each([
  ['unknown', { token: 'A'.repeat(43) }],
  ['missing', {}],
  ['too long', { token: 'A'.repeat(10_000) }],
  ['with a NUL', { token: 'A\u0000' }],
  ['an object', { token: { $ne: '' } }],
  ['not even there', undefined],
])('POST /api/users/verify refuses a token that is %s', async (_what, payload) => {
  await expectNoRows(test, async () =>
    expectRefusal(await post(test, '/api/users/verify', payload), 'verification_link_invalid', 'Invalid link'),
  )
})

it('POST /api/users/verify refuses the token of a reset link, which stays good', async () => {
  const user = await createUser(test, { email: newEmail() })
  const token = await requestReset(test, user.email)
  expectRefusal(await verify(token), 'verification_link_invalid')
  expect((await resetPassword(test, token, 'Another desk 42!')).statusCode).toBe(200)
})

it('POST /api/users/verify makes one account of fifty simultaneous uses of a token', async () => {
  const email = newEmail()
  const token = await register(test, email)
  const responses = await Promise.all(Array.from({ length: 50 }, () => verify(token)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
  expect(await findUsers(email)).toHaveLength(1)
  expect(await findRegistrations(email)).toHaveLength(1)
})

it('POST /api/users/verify refuses the link of an email that has an account in the meantime', async () => {
  const email = newEmail()
  const token = await register(test, email, 'Latecomers desk 3!')
  const user = await createUser(test, { email })
  expectRefusal(await verify(token), 'verification_link_invalid')
  expect(await findUsers(email)).toMatchObject([{ id: user.id, name: user.name }])
  expectRefusal(await logIn(test, email, 'Latecomers desk 3!'), 'invalid_credentials')
})

it('POST /api/users/verify/resend sends a second link, and both work', async () => {
  const email = newEmail()
  const first = await register(test, email)
  const response = await expectStatus(200, resend(` ${email.toUpperCase()} `, ` ${password} `))
  expect(response.json()).toEqual({ message: accountMessages.verificationResent })
  const second = tokenOf(await waitForMail(test, email, 2))
  expect(second).not.toBe(first)
  expect([(await verify(first)).statusCode, (await verify(second)).statusCode]).toEqual([200, 200])
  expect(await findUsers(email)).toHaveLength(1)
})

it('POST /api/users/verify/resend answers the same, and sends no mail, for a wrong password, an unknown and a verified email', async () => {
  const waiting = newEmail()
  await register(test, waiting)
  const verified = await createUser(test, { email: newEmail() })
  const success = await resend(waiting)
  await waitForMail(test, waiting, 2)
  const before = await countRows(test)
  const wrong = [resend(waiting, 'Not my desk 42!'), resend('nobody@uni.example'), resend(verified.email)]
  for (const answer of await Promise.all(wrong)) expect(toComparable(answer)).toEqual(toComparable(success))
  expect(await countRows(test)).toEqual(before)
  expect(mailsTo(test, verified.email)).toEqual([])
})

it.each([
  ['no email', { email: ' ', password }],
  ['no password', { email: 'ada@uni.example', password: ' ' }],
  ['nothing', undefined],
])('POST /api/users/verify/resend refuses %s', async (_what, payload) => {
  await expectNoRows(test, async () =>
    expectRefusal(await post(test, '/api/users/verify/resend', payload), 'invalid_input', messages.fillAllFields),
  )
})

const newPassword = 'Another desk 42!'
const forgot = (payload?: object) => post(test, '/api/users/forgot-password', payload)
const reset = (token: unknown, password = newPassword, confirmPassword = password) =>
  post(test, '/api/users/reset-password', { token, password, confirmPassword })

const findToken = (token: string) =>
  db.selectFrom('account_tokens').selectAll().where('token_hash', '=', hashToken(token)).executeTakeFirst()
const findHash = async (userId: string) =>
  (await db.selectFrom('passwords').select('password_hash').where('user_id', '=', userId).executeTakeFirstOrThrow())
    .password_hash

describe('POST /api/users/forgot-password', () => {
  it('mails a link that holds for an hour', async ({ user }) => {
    const response = await expectStatus(200, forgot({ email: ` ${user.email.toUpperCase()} ` }))
    expect(response.json()).toEqual({ message: 'If this email is registered, a reset link has been sent.' })
    const mail = await waitForMail(test, user.email)
    expect(mail.subject).toBe('Reset your Lectern password')
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/)
    const token = await findToken(tokenOf(mail))
    expect(token).toMatchObject({ purpose: 'reset', user_id: user.id })
    expect(hoursUntil(token?.expires_at ?? '')).toBeCloseTo(1, 1)
  })

  it('answers the same for an unknown and an unverified email, and mails them no link (C3)', async ({ user }) => {
    const unverified = 'waiting@uni.example'
    await register(test, unverified)
    const known = await forgot({ email: user.email })
    const answers = [await forgot({ email: 'stranger@uni.example' }), await forgot({ email: unverified })]
    for (const answer of answers) expect(toComparable(answer)).toEqual(toComparable(known))
    for (const [email, count] of [
      ['stranger@uni.example', 1],
      [unverified, 2],
    ] as const) {
      const mail = await waitForMail(test, email, count)
      expect(mail.subject).toBe('No Lectern account with this email')
      expect(mail.text + mail.html + mail.link).not.toContain('token=')
    }
    const tokens = await db.selectFrom('account_tokens').select('user_id').where('purpose', '=', 'reset').execute()
    await waitForMail(test, user.email)
    expect(tokens.every(({ user_id }) => user_id !== null)).toBe(true)
  })

  it('makes every earlier link worthless', async ({ user }) => {
    const first = await requestReset(test, user.email)
    const second = await requestReset(test, user.email, 2)
    expect(await findToken(first)).toBeUndefined()
    expectRefusal(await reset(first), 'reset_link_invalid')
    expect((await reset(second)).statusCode).toBe(200)
  })

  const { emailRequired } = accountMessages
  it.each([
    ['a blank email', { email: '  ' }, emailRequired],
    ['nothing', undefined, emailRequired],
    ['an invalid email', { email: 'nobody' }, messages.invalidEmail],
  ])('refuses %s and sends no mail', async (_what, payload, message) => {
    await expectNoRows(test, async () => expectRefusal(await forgot(payload), 'invalid_input', message))
  })
})

describe('POST /api/users/reset-password', () => {
  it('sets the password, ends every session and tells the owner (C13)', async ({ user }) => {
    const login = await logIn(test, user.email)
    const bystander = await createUser(test)
    const token = await requestReset(test, user.email)
    const response = await expectStatus(200, reset(token, ` ${newPassword} `))
    expect(response.json()).toEqual({ message: 'Password reset successful!' })
    expect(response.headers['set-cookie']).toBeUndefined()
    for (const auth of [accessOf(login), user.auth]) expectRefusal(await getMe(test, auth), 'unauthorized')
    expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(login)), 'session_expired')
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([])
    expect((await getMe(test, bystander.auth)).statusCode).toBe(200)
    expect((await waitForMail(test, user.email, 2)).subject).toBe('Your Lectern password was changed')
    expectRefusal(await logIn(test, user.email, password), 'invalid_credentials')
    expect((await logIn(test, user.email, newPassword)).statusCode).toBe(200)
  })

  it('takes a link once', async ({ user }) => {
    const token = await requestReset(test, user.email)
    expect((await reset(token)).statusCode).toBe(200)
    const hash = await findHash(user.id)
    await waitForMail(test, user.email, 2)
    const before = await countRows(test)
    expectRefusal(await reset(token, 'A third desk 42!'), 'reset_link_invalid')
    expect(await findHash(user.id)).toBe(hash)
    expect(await countRows(test)).toEqual(before)
    expect(mailsTo(test, user.email)).toHaveLength(2)
  })

  it('accepts one of fifty simultaneous uses (C4)', async ({ user }) => {
    const token = await requestReset(test, user.email)
    const passwords = Array.from({ length: 50 }, (_, index) => `${newPassword}${index}`)
    const resets = passwords.map((each) => reset(token, each))
    const { accepted } = await expectSuccesses(1, resets, 'reset_link_invalid')
    expect((await logIn(test, user.email, passwords[accepted[0] ?? 0])).statusCode).toBe(200)
    await waitForMail(test, user.email, 2)
  })

  it('leaves no session to a login with the old password meanwhile', async ({ user }) => {
    const token = await requestReset(test, user.email)
    const { verify } = test.deps.passwords
    // The reset happens after the old password was verified and before the login completes.
    test.deps.passwords.verify = async (...given) => {
      const matches = await verify(...given)
      expect((await reset(token)).statusCode).toBe(200)
      return matches
    }
    const login = await logIn(test, user.email, password).finally(() => {
      test.deps.passwords.verify = verify
    })
    expectRefusal(login, 'invalid_credentials')
    expect(login.headers['set-cookie']).toBeUndefined()
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([])
  })

  const { passwordsDiffer, weakPassword } = accountMessages
  it.each([
    ['no password', ' ', newPassword, 'invalid_input', messages.fillAllFields],
    ['differing passwords', newPassword, `${newPassword}!`, 'invalid_input', passwordsDiffer],
    ['a weak password', 'x', 'x', 'invalid_input', weakPassword],
    ['a password that everybody uses', 'Password123!', 'Password123!', 'common_password', undefined],
  ] as const)('refuses %s; the link stays good', async (_what, password, confirmPassword, code, message) => {
    const user = await createUser(test)
    const token = await requestReset(test, user.email)
    await expectNothingChanged(user, async () =>
      expectRefusal(await reset(token, password, confirmPassword), code, message),
    )
    expect((await reset(token)).statusCode).toBe(200)
  })

  it('refuses an expired link', async ({ user }) => {
    const token = await requestReset(test, user.email)
    await expire(token)
    await expectNothingChanged(user, async () => expectRefusal(await reset(token), 'reset_link_invalid'))
  })

  it('refuses the token of a verification link, which stays good', async () => {
    const token = await register(test, 'fresh@uni.example')
    expectRefusal(await reset(token), 'reset_link_invalid')
    expect((await post(test, '/api/users/verify', { token })).statusCode).toBe(200)
  })

  it.each([
    ['unknown', 'A'.repeat(43)],
    ['missing', undefined],
  ])('refuses a token that is %s', async (_what, token) => {
    const message = 'Reset link is invalid. Please request a new one.'
    expectRefusal(await expectNoRows(test, () => reset(token)), 'reset_link_invalid', message)
  })
})

async function expectNothingChanged(user: TestUser, act: () => Promise<void>) {
  const before = [await findHash(user.id), await countRows(test)]
  await act()
  expect([await findHash(user.id), await countRows(test)]).toEqual(before)
  expect((await getMe(test, user.auth)).statusCode).toBe(200)
}

const raw = 'Not the desk 42!'

const statementsOf = async (url: string, payload: object) =>
  (await recordRequestSql(() => post(test, url, payload))).texts

it.each([
  ['logging in', '/api/users/login', (email: string) => ({ email, password: raw })],
  ['registering', '/api/users/', (email: string) => ({ name: 'Ada', email, password: raw, confirmPassword: raw })],
  ['asking for a reset', '/api/users/forgot-password', (email: string) => ({ email })],
] as const)('%s asks the database the same, with or without an account (C1, C2, C3)', async (what, url, bodyOf) => {
  const { email } = await createUser(test)
  const unverified = `unverified.${what.length}@uni.example`
  await register(test, unverified)
  const ofNobody = await statementsOf(url, bodyOf(`nobody.${what.length}@uni.example`))
  expect(ofNobody.length).toBeGreaterThan(0)
  expect(await statementsOf(url, bodyOf(email))).toEqual(ofNobody)
  expect(await statementsOf(url, bodyOf(unverified))).toEqual(ofNobody)
})
