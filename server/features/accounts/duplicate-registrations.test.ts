import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../testing/mails.ts'
import { countRows, expectNoRows, expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { logIn, newEmail, post, register, requestReset } from '../../testing/students.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const { db } = test.deps
const attackers = 'Attackers desk 1!'
const victims = 'Victims desk 22!'
const chosen = 'Chosen on the page 3!'

const verify = (token: string) => post(test, '/api/users/verify', { token })
const choose = (token: string, password = chosen, change: object = {}) =>
  post(test, '/api/users/verify/password', { token, name: 'Grace H.', password, confirmPassword: password, ...change })
const typeRegistration = (email: string, password: string, name = 'Grace Hopper') =>
  post(test, '/api/users/', { name, email, password, confirmPassword: password })

const findUsers = (email: string) => db.selectFrom('users').select(['id', 'name']).where('email', '=', email).execute()
const findRegistrations = (email: string) =>
  db.selectFrom('registrations').selectAll().where('email', '=', email).execute()

async function expectOnlyPassword(email: string, password: string, others: string[]) {
  expect((await logIn(test, email, password)).statusCode).toBe(200)
  for (const other of others) expectRefusal(await logIn(test, email, other), 'invalid_credentials')
}

it('a user who knows the password of a pending registration is informed and mailed again, though strangers have registered since', async () => {
  const email = newEmail()
  await register(test, email, victims)
  for (let n = 0; n < 5; n++) expect((await typeRegistration(email, `${attackers}${n}`)).statusCode).toBe(201)
  await waitForMail(test, email, 3)
  await sql`DELETE FROM rate_limits WHERE key LIKE 'mailbox-%'`.execute(db)
  expectRefusal(await logIn(test, email, victims), 'email_not_verified')
  expectRefusal(await logIn(test, email, chosen), 'invalid_credentials')
  expect((await post(test, '/api/users/verify/resend', { email, password: chosen })).statusCode).toBe(200)
  expect((await post(test, '/api/users/verify/resend', { email, password: victims })).statusCode).toBe(200)
  expectRefusal(await verify(tokenOf(await waitForMail(test, email, 4))), 'password_needed')
})

it('a user who knows the password of a pending registration renews it by registering again, also at the same moment, and is no rival of themself', async () => {
  const twice = newEmail()
  await Promise.all([victims, victims, victims].map((password) => typeRegistration(twice, password)))
  expect(await findRegistrations(twice)).toHaveLength(1)
  expect((await verify(tokenOf(await waitForMail(test, twice, 3)))).statusCode).toBe(200)
  const email = newEmail()
  for (const password of [victims, attackers, victims]) await typeRegistration(email, password)
  expect(await findRegistrations(email)).toHaveLength(2)
})

it('a click where registrations rival does not decide between them, not even when only the attacker’s links were mailed (F1, C17)', async () => {
  const email = newEmail()
  for (let n = 1; n <= 3; n++) await register(test, email, n === 1 ? attackers : `${attackers}${n}`, n)
  expect((await typeRegistration(email, victims)).statusCode).toBe(201)
  expect((await post(test, '/api/users/verify/resend', { email, password: victims })).statusCode).toBe(200)
  const tokens = mailsTo(test, email).map(tokenOf)
  expect(tokens).toHaveLength(3)
  const before = await countRows(test)
  for (const token of tokens) expectRefusal(await verify(token), 'password_needed')
  expect(await countRows(test)).toEqual(before)
  for (const password of [attackers, victims]) expectRefusal(await logIn(test, email, password), 'email_not_verified')
  const [first = '', ...others] = tokens
  expect((await expectStatus(200, choose(first))).json()).toEqual({ message: accountMessages.emailVerified })
  await expectOnlyPassword(email, chosen, [attackers, `${attackers}3`, victims])
  expect(await findUsers(email)).toMatchObject([{ name: 'Grace H.' }])
  expect(await findRegistrations(email)).toMatchObject([{ password_hash: '' }])
  for (const token of others) expectRefusal(await verify(token), 'verification_link_invalid')
  for (const token of others) expectRefusal(await choose(token, attackers), 'verification_link_invalid')
  await expectOnlyPassword(email, chosen, [attackers])
  // The count ignores mails about the logins.
  expect(mailsTo(test, email).filter(({ link }) => link?.includes('/verify'))).toHaveLength(3)
})

it.each(['first', 'last'])('a click asks a user with their own link, too: the attacker came %s (C9)', async (when) => {
  const email = newEmail()
  const passwords = when === 'first' ? [attackers, victims] : [victims, attackers]
  const tokens = [await register(test, email, passwords[0]), await register(test, email, passwords[1], 2)]
  const [own = '', strangers = ''] = when === 'first' ? tokens.reverse() : tokens
  expectRefusal(await verify(own), 'password_needed')
  expect((await choose(own, victims)).statusCode).toBe(200)
  await expectOnlyPassword(email, victims, [attackers])
  expectRefusal(await verify(strangers), 'verification_link_invalid')
  expect(await findUsers(email)).toHaveLength(1)
  expect(await findRegistrations(email)).toHaveLength(1)
})

it('a click where registrations rival is a success again once the password was chosen, and a second choice changes nothing (C8)', async () => {
  const email = newEmail()
  await register(test, email, attackers)
  const token = await register(test, email, victims, 2)
  expect((await choose(token)).statusCode).toBe(200)
  expect((await verify(token)).statusCode).toBe(200)
  expect((await choose(token, 'Another choice 4!')).statusCode).toBe(200)
  await expectOnlyPassword(email, chosen, ['Another choice 4!'])
})

it('the same address and password typed again are one registration, with the name typed last', async () => {
  const email = newEmail()
  const first = await register(test, email)
  const old = { created_at: new Date(Date.now() - 29 * 86_400_000) }
  await db.updateTable('registrations').set(old).where('email', '=', email).execute()
  const [before] = await findRegistrations(email)
  expect((await typeRegistration(email, password, 'Grace Brewster')).statusCode).toBe(201)
  const second = tokenOf(await waitForMail(test, email, 2))
  const [registration, ...others] = await findRegistrations(email)
  expect(others).toEqual([])
  expect(registration).toMatchObject({ id: before?.id, name: 'Grace Brewster' })
  // The link of the renewed registration must live as long as any other.
  expect(registration?.created_at.getTime()).toBeGreaterThan((before?.created_at.getTime() ?? 0) + 86_400_000)
  expect([(await verify(first)).statusCode, (await verify(second)).statusCode]).toEqual([200, 200])
  expect(await findUsers(email)).toMatchObject([{ name: 'Grace Brewster' }])
  await expectOnlyPassword(email, password, [])
})

it('POST /api/users/verify/password holds against registrations that begin between the click and the choice', async () => {
  const email = newEmail()
  await register(test, email, attackers)
  const token = await register(test, email, victims, 2)
  expectRefusal(await verify(token), 'password_needed')
  await typeRegistration(email, `${attackers}2`)
  expect((await choose(token)).statusCode).toBe(200)
  await expectOnlyPassword(email, chosen, [attackers, `${attackers}2`, victims])
  expect(await findRegistrations(email)).toHaveLength(1)
})

it('POST /api/users/verify/password takes the choice though the rivals are gone by now', async () => {
  const email = newEmail()
  const token = await register(test, email, attackers)
  expect((await choose(token)).statusCode).toBe(200)
  await expectOnlyPassword(email, chosen, [attackers])
})

it('POST /api/users/verify/password makes one account of several simultaneous choices', async () => {
  const email = newEmail()
  const passwords = ['First desk 111!', 'Second desk 22!', 'Third desk 333!']
  for (const [index, password] of passwords.entries()) await register(test, email, password, index + 1)
  const tokens = mailsTo(test, email).map(tokenOf)
  const choices = tokens.map((token, index) => choose(token, `Chosen desk ${index}!`))
  const [winner, ...losers] = (await Promise.all(choices)).sort((one, other) => one.statusCode - other.statusCode)
  expect(winner?.statusCode).toBe(200)
  for (const loser of losers) expectRefusal(loser, 'verification_link_invalid')
  expect(await findUsers(email)).toHaveLength(1)
  expect(await findRegistrations(email)).toHaveLength(1)
  const logins = await Promise.all(tokens.map((_token, index) => logIn(test, email, `Chosen desk ${index}!`)))
  expect(logins.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401])
})

it.each([
  ['a weak password', { password: 'weak', confirmPassword: 'weak' }, 'invalid_input', accountMessages.weakPassword],
  ['no name', { name: ' ' }, 'invalid_input', 'Please fill in all fields'],
  ['a common password', { password: 'Password123!', confirmPassword: 'Password123!' }, 'common_password', undefined],
  ['an unknown token', { token: 'A'.repeat(43) }, 'verification_link_invalid', undefined],
] as const)('POST /api/users/verify/password refuses %s, leaving nothing', async (_what, change, code, message) => {
  const email = newEmail()
  await register(test, email, attackers)
  const token = await register(test, email, victims, 2)
  await expectNoRows(test, async () => expectRefusal(await choose(token, chosen, change), code, message))
  expectRefusal(await verify(token), 'password_needed')
})

it('POST /api/users/verify/password refuses an expired link and the link of a reset', async () => {
  const email = newEmail()
  const token = await register(test, email, attackers)
  await sql`UPDATE account_tokens SET expires_at = ${new Date(0)} WHERE purpose = 'verify'`.execute(db)
  expectRefusal(await choose(token), 'verification_link_expired')
  expect(await findUsers(email)).toEqual([])
  const user = await createUser(test)
  expectRefusal(await choose(await requestReset(test, user.email)), 'verification_link_invalid')
  expectRefusal(await logIn(test, user.email, chosen), 'invalid_credentials')
})
