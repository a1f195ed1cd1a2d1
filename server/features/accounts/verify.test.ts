import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { hashToken } from '../../platform/db/secret.ts'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { countRows, expectNoRows, expectRefusal, toComparable } from '../../testing/refusal.ts'
import { logIn, post, register, requestReset, resetPassword } from '../../testing/students.ts'

const test = await openTestApp()
const { db } = test.deps

let made = 0
const newEmail = () => `student${made++}@uni.example`
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

  const response = await verify(token)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ message: 'Email verified. You can log in now.' })
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
  ['empty', { token: '' }],
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
  const response = await resend(` ${email.toUpperCase()} `, ` ${password} `)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ message: accountMessages.verificationResent })
  const second = tokenOf(await waitForMail(test, email, 2))
  expect(second).not.toBe(first)
  expect((await verify(first)).statusCode).toBe(200)
  expect((await verify(second)).statusCode).toBe(200)
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
