import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { instanceSettingsMessages } from '../../../../packages/contract/instance-settings.ts'
import { createUser, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { getMe, logIn, patch, post } from '../../../testing/students.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
const { db } = test.deps
const admin = await createUser(test, { role: 'admin' })
const change = (settings: object) => patch(test, '/api/admin/settings', settings, admin.auth)
const policyOf = async (server = test) => (await server.app.inject('/api/registration')).json()
const tryToRegister = (email: string, server = test) =>
  post(server, '/api/users/', { name: 'Grace', email, password, confirmPassword: password })
const registrationsOf = (email: string) =>
  db.selectFrom('registrations').select('id').where('email', '=', email).execute()

it('registration is open to everyone, until an admin changes it', async () => {
  expect(await policyOf()).toEqual({ mode: 'open', domains: [] })
  expect((await tryToRegister('grace.open@elsewhere.example')).statusCode).toBe(201)
})

it('registration is limited to addresses of a domain and its subdomains, immediately on every server', async () => {
  const registration = { mode: 'domains', domains: [' @UNI.example', 'institute.example'] }
  expect((await change({ registration })).statusCode).toBe(200)
  expect(await policyOf(other)).toEqual({ mode: 'domains', domains: ['uni.example', 'institute.example'] })
  for (const email of ['grace@uni.example', 'grace@mail.uni.example', 'grace@institute.example'])
    expect((await tryToRegister(email, other)).statusCode, email).toBe(201)
  const known = await createUser(test, { email: 'known@elsewhere.example' })
  for (const email of [known.email, 'a@notuni.example', 'a@uni.example.evil.example', '"a@uni.example"@b.example']) {
    const refused = await tryToRegister(email, other)
    if (refused.json().code === 'invalid_input') continue
    const message = 'Register with an email address ending in uni.example, institute.example.'
    expectRefusal(refused, 'email_domain', message)
    expect(refused.json().fields).toEqual({ email: message })
    expect(await registrationsOf(email)).toEqual([])
    expect(mailsTo(test, email)).toEqual([])
  }
  // An existing user can still log in.
  expect((await logIn(test, known.email)).statusCode).toBe(200)
})

it('registration is limited to invited users, but pending registrations can be finished', async () => {
  const email = 'grace.late@uni.example'
  await tryToRegister(email)
  const token = tokenOf(await waitForMail(test, email))
  expect((await change({ registration: { mode: 'invited', domains: [] } })).statusCode).toBe(200)
  expect(await policyOf(other)).toEqual({ mode: 'invited', domains: [] })
  for (const one of ['someone@uni.example', admin.email])
    expectRefusal(await tryToRegister(one, other), 'registration_not_open')
  expect((await post(test, '/api/users/verify', { token })).statusCode).toBe(200)
  await change({ registration: { mode: 'open', domains: [] } })
})

it.each([
  ['no domain', { mode: 'domains', domains: [] }, instanceSettingsMessages.domains],
  ['no list', { mode: 'domains', domains: 'uni.example' }, instanceSettingsMessages.domains],
  ['what is no text', { mode: 'domains', domains: [1] }, instanceSettingsMessages.domain],
  ['a domain that is none', { mode: 'domains', domains: ['uni'] }, instanceSettingsMessages.domain],
  ['an address', { mode: 'domains', domains: ['a@uni.example'] }, instanceSettingsMessages.domain],
  ['too many', { mode: 'domains', domains: Array(51).fill('uni.example') }, instanceSettingsMessages.manyDomains],
  ['another mode', { mode: 'closed', domains: [] }, instanceSettingsMessages.mode],
])('who may register is refused with %s, and stays as it was', async (_what, registration, message) => {
  expectRefusal(await change({ registration }), 'invalid_input', message)
  expect(await policyOf()).toMatchObject({ mode: 'open' })
})

const getAnnouncement = async (server = test) => (await getMe(server, admin.auth)).json().user.announcement

it('an announcement is shown to signed-in users until it expires or is removed', async () => {
  expect(await getAnnouncement()).toBeUndefined()
  const text = 'Closed on Monday.\n<b>Really</b> http://evil.example'
  await change({ announcement: { text, days: 2 } })
  const first = await getAnnouncement(other)
  expect(first).toEqual({ _id: expect.any(String), text })
  expect((await logIn(test, admin.email)).json().user.announcement).toEqual(first)
  await change({ announcement: { text, days: 2 } })
  expect((await getAnnouncement())._id).not.toBe(first._id)
  await sql`UPDATE instance_settings SET announcement_expires_at = now()`.execute(db)
  expect(await getAnnouncement()).toBeUndefined()
  await change({ announcement: { text, days: 1 } })
  const settings = (await change({ announcement: null })).json()
  expect(settings).toMatchObject({ announcement: null, registration: { mode: 'open' } })
  expect(await getAnnouncement(other)).toBeUndefined()
})

it.each([
  { text: 'x'.repeat(301), days: 1 },
  { text: '\u202e', days: 1 },
  { text: 'a', days: 0 },
])('an announcement is refused as %j', async (announcement) => {
  expect((await change({ announcement })).json().code).toBe('invalid_input')
  expect(await getAnnouncement()).toBeUndefined()
})
