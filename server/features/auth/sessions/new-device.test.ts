import { sql } from 'kysely'
import { expect } from 'vitest'
import { itWithUsers, openTestApp, password, type TestUser } from '../../../testing/app.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { countSessions, post, resetPassword } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Logs in from a browser. @returns its device cookie for later logins. */
async function logInFrom(email: string, cookie?: string, { app } = test): Promise<string> {
  const headers = { 'user-agent': firefox, ...(cookie && { cookie }) }
  const response = await post({ app }, '/api/users/login', { email, password }, headers)
  expect(response.statusCode).toBe(200)
  const device = response.cookies.find(({ name }) => name.endsWith('lectern-device'))
  return `${device?.name}=${device?.value}`
}

/** The login itself inserts its alert, so a count of zero means that no mail will follow. */
const countAlerts = async ({ id }: TestUser) =>
  (await db.selectFrom('security_alerts').select('id').where('user_id', '=', id).execute()).length

it('mails of the first login on another device, and of no other', async ({ user }) => {
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

it('mails of the first login of an account that has been there for a while', async ({ user }) => {
  await sql`UPDATE users SET created_at = now() - interval '2 days' WHERE id = ${user.id}`.execute(db)
  await logInFrom(user.email)
  await waitForMail(test, user.email)
})

it('knows a browser that two students share', async ({ mia, ben }) => {
  const shared = await logInFrom(ben.email, await logInFrom(mia.email))
  await logInFrom(ben.email, await logInFrom(mia.email, shared))
  expect([await countAlerts(mia), await countAlerts(ben)]).toEqual([0, 0])
  // The database must not show which accounts share a browser.
  const devices = await db.selectFrom('known_devices').select('device_hash').execute()
  expect(new Set(devices.map(({ device_hash }) => device_hash.toString('hex'))).size).toBe(devices.length)
})

it('takes a cookie of another’s making for a new device', async ({ user }) => {
  const [name] = (await logInFrom(user.email)).split('=')
  for (const value of ['', 'x', `${'A'.repeat(22)}.forged`, '%00.%00']) {
    const before = await countAlerts(user)
    await logInFrom(user.email, `${name}=${value}`)
    expect(await countAlerts(user)).toBe(before + 1)
  }
})

it('mails nothing of a login that fails, and ends a thief’s session by its link', async ({ user }) => {
  await logInFrom(user.email)
  const wrong = { email: user.email, password: 'Not the desk 42!' }
  expectRefusal(await post(test, '/api/users/login', wrong), 'invalid_credentials')
  expect(await countAlerts(user)).toBe(0)
  await logInFrom(user.email)
  const token = tokenOf(await waitForMail(test, user.email))
  expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
  expect(await countSessions(test, user)).toBe(0)
})

it('knows no browser any more of which its student has said that it was not theirs', async ({ user }) => {
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

it('fills no mailbox for who has the password: ten such mails an hour', async ({ user }) => {
  await logInFrom(user.email)
  // The limit must hold for parallel logins.
  await Promise.all(Array.from({ length: 12 }, () => logInFrom(user.email)))
  expect(await countAlerts(user)).toBe(10)
  await waitForMail(test, user.email, 10)
})
