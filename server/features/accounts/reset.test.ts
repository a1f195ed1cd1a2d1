import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { createUser, itWithUsers, password as oldPassword, openTestApp, type TestUser } from '../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { countRows, expectNoRows, expectRefusal, toComparable } from '../../testing/refusal.ts'
import { accessOf, cookieOf, getMe, logIn, post, register, requestReset } from '../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

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
    const response = await forgot({ email: ` ${user.email.toUpperCase()} ` })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ message: 'If this email is registered, a reset link has been sent.' })

    const mail = await waitForMail(test, user.email)
    expect(mail.subject).toBe('Reset your Lectern password')
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/)
    const token = await findToken(tokenOf(mail))
    expect(token).toMatchObject({ purpose: 'reset', user_id: user.id })
    const minutes = (Number(token?.expires_at.getTime()) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(55)
    expect(minutes).toBeLessThan(65)
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
    ['an email that is an object', { email: { $ne: '' } }, emailRequired],
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

    const response = await reset(token, ` ${newPassword} `)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ message: 'Password reset successful!' })
    expect(response.headers['set-cookie']).toBeUndefined()

    for (const auth of [accessOf(login), user.auth]) expectRefusal(await getMe(test, auth), 'unauthorized')
    expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(login)), 'session_expired')
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([])
    expect((await getMe(test, bystander.auth)).statusCode).toBe(200)

    const mail = await waitForMail(test, user.email, 2)
    expect(mail.subject).toBe('Your Lectern password was changed')
    expectRefusal(await logIn(test, user.email, oldPassword), 'invalid_credentials')
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
    const responses = await Promise.all(passwords.map((each) => reset(token, each)))

    const winners = responses.flatMap(({ statusCode }, index) => (statusCode === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    for (const [index, response] of responses.entries()) {
      if (index !== winners[0]) expectRefusal(response, 'reset_link_invalid')
    }
    expect((await logIn(test, user.email, passwords[winners[0] ?? 0])).statusCode).toBe(200)
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
    const login = await logIn(test, user.email, oldPassword).finally(() => {
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
    const expired = { expires_at: sql<Date>`now() - interval '1 second'` }
    await db.updateTable('account_tokens').set(expired).where('token_hash', '=', hashToken(token)).execute()
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
    ['empty', ''],
    ['an object', { $ne: '' }],
    ['too long', 'A'.repeat(10_000)],
  ])('refuses a token that is %s', async (_what, token) => {
    const before = await countRows(test)
    const message = 'Reset link is invalid. Please request a new one.'
    expectRefusal(await reset(token), 'reset_link_invalid', message)
    expect(await countRows(test)).toEqual(before)
  })
})

async function expectNothingChanged(user: TestUser, act: () => Promise<void>) {
  const before = [await findHash(user.id), await countRows(test)]
  await act()
  expect([await findHash(user.id), await countRows(test)]).toEqual(before)
  expect((await getMe(test, user.auth)).statusCode).toBe(200)
}
