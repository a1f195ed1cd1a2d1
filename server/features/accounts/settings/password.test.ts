import { expect } from 'vitest'
import { accountMessages } from '../../../../packages/contract/accounts.ts'
import { messages } from '../../../../packages/contract/fields.ts'
import { createUser, itWithUsers, openTestApp, password, type TestUser } from '../../../testing/app.ts'
import { mailsTo, waitForMail } from '../../../testing/mails.ts'
import { countRows, expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, cookieOf, getMe, logIn, post, requestReset, resetPassword } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const limited = await openTestApp({ RATE_LIMIT: 'on' })

const newPassword = 'Another desk 42!'
type Change = { currentPassword?: unknown; password?: unknown; confirmPassword?: unknown }
const common = { password: 'Password123!', confirmPassword: 'Password123!' }
const good = { currentPassword: password, password: newPassword, confirmPassword: newPassword }
const change = ({ auth }: Pick<TestUser, 'auth'>, given: Change = {}, { app } = test) =>
  post({ app }, '/api/users/me/password', { ...good, ...given }, auth)
const findHash = async ({ id }: TestUser) =>
  (await test.deps.db.selectFrom('passwords').select('password_hash').where('user_id', '=', id).executeTakeFirst())
    ?.password_hash

async function expectNothingChanged(user: TestUser, act: () => Promise<void>) {
  const before = [await findHash(user), await countRows(test)]
  await act()
  expect([await findHash(user), await countRows(test)]).toEqual(before)
  expect(mailsTo(test, user.email)).toEqual([])
}

it('POST /api/users/me/password changes the password, ends every other session, keeps this one and tells the owner', async ({
  user,
}) => {
  const bystander = await createUser(test)
  const elsewhere = await logIn(test, user.email)
  const response = await change(user)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ message: 'Password changed. Your other devices were logged out.' })

  expectRefusal(await getMe(test, accessOf(elsewhere)), 'unauthorized')
  expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(elsewhere)), 'session_expired')
  expect((await getMe(test, user.auth)).statusCode).toBe(200)
  expect((await getMe(test, bystander.auth)).statusCode).toBe(200)

  expect((await waitForMail(test, user.email)).subject).toBe('Your Lectern password was changed')
  expectRefusal(await logIn(test, user.email), 'invalid_credentials')
  expect((await logIn(test, user.email, newPassword)).statusCode).toBe(200)
})

it('POST /api/users/me/password voids a link to choose a password that was mailed before', async ({ user }) => {
  const token = await requestReset(test, user.email)
  await change(user)
  expectRefusal(await resetPassword(test, token, 'A third desk 42!'), 'reset_link_invalid')
})

it('POST /api/users/me/password accepts one of many simultaneous changes', async ({ user }) => {
  const passwords = Array.from({ length: 10 }, (_, index) => `${newPassword}${index}`)
  const answers = await Promise.all(passwords.map((each) => change(user, { password: each, confirmPassword: each })))
  const winners = answers.flatMap(({ statusCode }, index) => (statusCode === 200 ? [index] : []))
  expect(winners).toHaveLength(1)
  for (const [index, answer] of answers.entries()) if (index !== winners[0]) expectRefusal(answer, 'wrong_password')
  expect((await logIn(test, user.email, passwords[winners[0] ?? 0])).statusCode).toBe(200)
})

it.each([
  ['a wrong current password', { currentPassword: newPassword }, 'wrong_password', undefined],
  ['no current password', { currentPassword: '' }, 'invalid_input', messages.fillAllFields],
  ['no password', { password: '' }, 'invalid_input', messages.fillAllFields],
  ['differing passwords', { confirmPassword: `${newPassword}!` }, 'invalid_input', accountMessages.passwordsDiffer],
  ['a weak password', { password: 'x', confirmPassword: 'x' }, 'invalid_input', accountMessages.weakPassword],
  ['a password that everybody uses', common, 'common_password', undefined],
] as const)('POST /api/users/me/password refuses %s', async (_what, given, code, message) => {
  const user = await createUser(test)
  await expectNothingChanged(user, async () => {
    const response = await change(user, given)
    expectRefusal(response, code, message)
    if (code === 'wrong_password') expect(response.json().fields).toEqual({ currentPassword: response.json().message })
  })
})

const wrong = { currentPassword: 'Not the desk 42!' }

it('the current password can be guessed no more often than at the login, and locks no other user out', async () => {
  const [user, neighbour] = [await createUser(limited), await createUser(limited)]
  for (let attempt = 0; attempt < 10; attempt++) expectRefusal(await change(user, wrong, limited), 'wrong_password')
  const refused = await change(user, {}, limited)
  expectRefusal(refused, 'rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Both endpoints share one count, which applies to this network address alone.
  expectRefusal(await logIn(limited, user.email), 'rate_limited')
  const elsewhere = await limited.app.inject({
    method: 'POST',
    url: '/api/users/login',
    remoteAddress: '10.1.2.3',
    payload: { email: user.email, password },
  })
  expect(elsewhere.statusCode).toBe(200)
  expect((await change(neighbour, {}, limited)).statusCode).toBe(200)
})

it('the current password forgives earlier failures when it is right', async () => {
  const user = await createUser(limited)
  for (let round = 0; round < 2; round++) {
    for (let attempt = 0; attempt < 9; attempt++) expectRefusal(await change(user, wrong, limited), 'wrong_password')
    // The current password is right, but the new one is common, so nothing changes.
    expectRefusal(await change(user, common, limited), 'common_password')
  }
})
