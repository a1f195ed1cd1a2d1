import { sql } from 'kysely'
import { expect } from 'vitest'
import { hashToken } from '../../../platform/db/secret.ts'
import { createUser, itWithUsers, openTestApp, password, type TestUser } from '../../../testing/app.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { dumpDatabase, expectNoRows, expectRefusal, expectStatus, expectSuccesses } from '../../../testing/refusal.ts'
import { changePassword, getMe, logIn, post, requestReset, resetPassword } from '../../../testing/students.ts'
import { hoursUntil } from '../../../testing/times.ts'
import { deleteOldAlerts } from './send-alert.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const passwords = [password, 'Another desk 42!', 'A third desk 42!', 'A fourth desk 42!']
const disown = (token: unknown) => post(test, '/api/users/not-me', { token })

/** Changes the password for the `count`th time and waits for the mail. @returns the token of its link. */
async function changeAndWait(user: TestUser, count = 1): Promise<string> {
  const [currentPassword = '', next = ''] = passwords.slice(count - 1)
  expect((await changePassword(test, user, next, currentPassword)).statusCode).toBe(200)
  return tokenOf(await waitForMail(test, user.email, count))
}

it('mails a link that holds for a week, and keeps its hash alone', async ({ user }) => {
  const token = await changeAndWait(user)
  expect(token).toMatch(/^[\w-]{43}$/)
  const alerts = db.selectFrom('security_alerts').selectAll().where('token_hash', '=', hashToken(token))
  const alert = await alerts.executeTakeFirst()
  expect(alert).toMatchObject({ user_id: user.id, email: user.email, kind: 'password-changed' })
  expect(hoursUntil(alert?.expires_at ?? '')).toBeCloseTo(7 * 24, 0)
  expect(await dumpDatabase(test)).not.toContain(token)
})

it('ends every session, deletes the password and returns a token for a new one', async ({ user }) => {
  const token = await changeAndWait(user)
  expect((await logIn(test, user.email, passwords[1])).statusCode).toBe(200)
  const answer = await expectStatus(200, disown(token))
  expect(answer.headers['cache-control']).toBe('no-store')
  expectRefusal(await getMe(test, user.auth), 'unauthorized')
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([])
  for (const known of passwords) expectRefusal(await logIn(test, user.email, known), 'invalid_credentials')
  const { resetToken } = answer.json()
  expect((await resetPassword(test, resetToken, 'Mine again 42!')).statusCode).toBe(200)
  expect((await logIn(test, user.email, 'Mine again 42!')).statusCode).toBe(200)
})

it('accepts a link once, even in many simultaneous requests', async ({ user }) => {
  const token = await changeAndWait(user)
  const sent = Array.from({ length: 20 }, () => disown(token))
  await expectSuccesses(1, sent, 'alert_link_invalid')
})

it('gives the last word to the address that was notified first', async ({ user }) => {
  const first = await changeAndWait(user, 1)
  const second = await changeAndWait(user, 2)
  expect((await disown(second)).statusCode).toBe(200)
  // Using a later alert does not void an earlier one, but using the earlier one voids the later.
  const { resetToken } = (await disown(first)).json()
  expect((await resetPassword(test, resetToken, 'Mine again 42!')).statusCode).toBe(200)
  const other = await createUser(test)
  const [older, newer] = [await changeAndWait(other, 1), await changeAndWait(other, 2)]
  expect((await disown(older)).statusCode).toBe(200)
  expectRefusal(await disown(newer), 'alert_link_invalid')
})

it('refuses a link that is too old, and forgets it', async ({ user }) => {
  const token = await changeAndWait(user)
  const expired = { expires_at: sql<Date>`now() - interval '1 second'` }
  await db.updateTable('security_alerts').set(expired).where('user_id', '=', user.id).execute()
  await expectNoRows(test, async () => expectRefusal(await disown(token), 'alert_link_invalid'))
  expect((await getMe(test, user.auth)).statusCode).toBe(200)
  await deleteOldAlerts(db)
  expect(await db.selectFrom('security_alerts').select('id').where('user_id', '=', user.id).execute()).toEqual([])
})

it('refuses the token of a link to choose a password', async ({ user }) => {
  expectRefusal(await disown(await requestReset(test, user.email)), 'alert_link_invalid')
})
