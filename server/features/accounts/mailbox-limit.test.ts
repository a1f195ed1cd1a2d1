import { sql } from 'kysely'
import { expect } from 'vitest'
import { createUser, itWithUsers, openTestApp, openTestAppOn, password } from '../../testing/app.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { countRows, expectRefusal, toComparable } from '../../testing/refusal.ts'
import { post, resetPassword } from '../../testing/students.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const it = itWithUsers(test)
const other = await openTestAppOn(test, { RATE_LIMIT: 'on' })
const { db } = test.deps

let hosts = 0
const newAddress = () => `198.51.100.${++hosts}`
const send = (url: string, payload: object, from = newAddress(), server = test) =>
  server.app.inject({ method: 'POST', url, payload, remoteAddress: from })
const forgot = (email: string, from?: string, server = test) =>
  send('/api/users/forgot-password', { email }, from, server)
const register = (email: string, from?: string, server = test, chosen = password) =>
  send('/api/users/', { name: 'Ada', email, password: chosen, confirmPassword: chosen }, from, server)

const countMails = async () => Number((await countRows(test))?.accountMails)

it('a hundred requests fill no mailbox, and all get the same response (C17)', async ({ user }) => {
  const before = await countMails()
  const from = newAddress()
  const first = await forgot(user.email, from)
  for (let n = 1; n < 100; n++)
    expect(toComparable(await forgot(user.email, from, n % 2 ? test : other))).toEqual(toComparable(first))
  expect(first.statusCode).toBe(200)
  expect((await countMails()) - before).toBe(3)
  await waitForMail(test, user.email, 3)
})

it('a stranger’s address is spared too, and hears from Lectern again an hour later', async () => {
  const email = 'stranger@uni.example'
  for (let n = 0; n < 6; n++) expect((await register(email)).statusCode).toBe(201)
  await waitForMail(test, email, 3)
  await sql`UPDATE rate_limits SET expire = ${Date.now() - 1}`.execute(db)
  expect((await register(email)).statusCode).toBe(201)
  await waitForMail(test, email, 4)
})

it('requesting resets leaves an address the link of its registration', async () => {
  const email = 'newcomer@uni.example'
  for (let n = 0; n < 6; n++) await forgot(email)
  await waitForMail(test, email, 3)
  await register(email)
  expect((await waitForMail(test, email, 4)).link).toContain('/verify?token=')
})

it('having the verification link sent again takes from them as well', async () => {
  const email = 'waiting@uni.example'
  await register(email)
  const resend = () => send('/api/users/verify/resend', { email, password })
  const before = await countMails()
  const answers = [await resend(), await resend(), await resend(), await resend()]
  for (const answer of answers) expect(toComparable(answer)).toEqual(toComparable(answers[0] as (typeof answers)[0]))
  expect((await countMails()) - before).toBe(2)
})

it('the password of a waiting registration can be tried ten times', async () => {
  const from = newAddress()
  const tryPassword = () =>
    send('/api/users/verify/resend', { email: 'guessed@uni.example', password: 'Not the desk 42!' }, from)
  for (let n = 0; n < 10; n++) expect((await tryPassword()).statusCode).toBe(200)
  const refused = await tryPassword()
  expectRefusal(refused, 'rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

it('asking for a hundred resets leaves registering behind the same address alone (F5)', async () => {
  const from = newAddress()
  for (let n = 0; n < 3; n++) await forgot(`campus${n}@uni.example`, from)
  await db.updateTable('rate_limits').set({ points: 1000 }).where('key', 'like', 'forgot-address:%').execute()
  expectRefusal(await forgot('campus@uni.example', from), 'rate_limited')
  expect((await register('campus@uni.example', from)).statusCode).toBe(201)
  const { email } = await createUser(test)
  const login = await send('/api/users/login', { email, password }, from)
  const headers = { cookie: login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  const known = { method: 'POST', url: '/api/users/forgot-password', payload: { email }, remoteAddress: from } as const
  expect((await test.app.inject({ ...known, headers })).statusCode).toBe(200)
  await waitForMail(test, email)
})

it('one address gets so much of each, and then a refusal that leaves nothing behind', async () => {
  const from = newAddress()
  await register('first@uni.example', from)
  expect((await forgot('first@uni.example', from)).statusCode).toBe(200)
  await send('/api/users/verify/resend', { email: 'first@uni.example', password }, from)
  const reset = { token: 'A'.repeat(43), password, confirmPassword: password }
  await send('/api/users/reset-password', reset, from)
  await db.updateTable('rate_limits').set({ points: 1000 }).where('key', 'like', '%-address:%').execute()
  const before = await countRows(test)
  const refused = [
    await register('second@uni.example', from),
    await forgot('second@uni.example', from, other),
    await send('/api/users/verify/resend', { email: 'second@uni.example', password }, from),
    await send('/api/users/reset-password', reset, from),
  ]
  for (const response of refused) {
    expectRefusal(response, 'rate_limited')
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(await countRows(test)).toEqual(before)
  expect((await forgot('second@uni.example')).statusCode).toBe(200)
})

it('a reset still tells its owner when the mailbox is full', async ({ user }) => {
  await forgot(user.email)
  const mail = await waitForMail(test, user.email)
  for (let n = 0; n < 4; n++) await register(user.email)
  expect((await resetPassword(test, tokenOf(mail), 'Another desk 42!')).statusCode).toBe(200)
  await drainJobs(test)
  expect(mailsTo(test, user.email).map(({ subject }) => subject)).toContain('Your Lectern password was changed')
})

it('the newest mail of each kind works for its full time after a stranger used up the limit (G1)', async () => {
  const soon = { expires_at: sql<Date>`now() + interval '1 minute'` }
  const [owner, stranger] = [await createUser(test), await createUser(test)]
  const newcomer = 'mobbed@uni.example'
  const change = (user: typeof owner, email: string) =>
    post(test, '/api/users/me/email', { email, currentPassword: password }, user.auth)
  for (let n = 0; n < 8; n++) {
    await forgot(owner.email)
    await register(newcomer, undefined, test, `Guess ${n} the desk!`)
    await change(stranger, newcomer)
  }
  const resetToken = tokenOf(await waitForMail(test, owner.email, 3))
  await waitForMail(test, newcomer, 4)
  const links = mailsTo(test, newcomer).map(({ link }) => link ?? '')
  const verifyToken = tokenOf({ link: links.findLast((link) => link.includes('/verify?')) ?? '' })
  const changeToken = tokenOf({ link: links.findLast((link) => !link.includes('/verify?')) ?? '' })
  await db.updateTable('account_tokens').set(soon).execute()
  await db.updateTable('email_changes').set(soon).execute()
  await forgot(owner.email)
  await register(newcomer)
  await change(stranger, newcomer)
  await drainJobs(test)
  expect([mailsTo(test, owner.email), mailsTo(test, newcomer)].map(({ length }) => length)).toEqual([3, 4])
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM max(expires_at) - now())::float8 AS seconds FROM account_tokens WHERE purpose = 'reset'
     UNION ALL SELECT extract(epoch FROM max(expires_at) - now())::float8 FROM account_tokens WHERE purpose = 'verify'
     UNION ALL SELECT extract(epoch FROM max(expires_at) - now())::float8 FROM email_changes`.execute(db)
  for (const [at, hours] of [1, 24, 24].entries()) expect(rows[at]?.seconds).toBeGreaterThan(hours * 3600 - 300)
  const chosen = { password: 'Another desk 42!', confirmPassword: 'Another desk 42!' }
  expect((await send('/api/users/reset-password', { token: resetToken, ...chosen })).statusCode).toBe(200)
  expectRefusal(await send('/api/users/verify', { token: verifyToken }), 'password_needed')
  const named = { token: verifyToken, name: 'Mo', ...chosen }
  expect((await send('/api/users/verify/password', named)).statusCode).toBe(200)
  expect((await send('/api/users/login', { email: newcomer, password: chosen.password })).statusCode).toBe(200)
  // The address already has an account.
  expectRefusal(await send('/api/users/confirm-email', { token: changeToken }), 'email_link_invalid')
})
