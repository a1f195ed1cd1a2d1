import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Invitation } from '../../contract/house.ts'
import { setRole } from '../roles/roles.ts'
import { openTestApp, openTestAppOn } from '../test/app.ts'
import { createUser, password } from '../test/factories.ts'
import { mailsTo, waitForMail } from '../test/mails.ts'
import { expectRefusal } from '../test/refusal.ts'
import { post } from '../test/students.ts'
import { deleteOldInvitations } from './invitations.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
const { db } = test.deps
const admin = await createUser(test)
await setRole(test.deps, admin.email, 'admin')
await test.app.inject({
  method: 'PATCH',
  url: '/api/admin/settings',
  headers: admin.auth,
  payload: { registration: { mode: 'invited', domains: [] } },
})

const invite = async (body: object = {}): Promise<string> => {
  const answer = await post(test, '/api/admin/invitations', body, admin.auth)
  expect(answer.statusCode).toBe(201)
  return answer.json().token
}
const list = async () =>
  (await test.app.inject({ url: '/api/admin/invitations', headers: admin.auth })).json<{ invitations: Invitation[] }>()
    .invitations
const registerWith = (invitation: string, email: string, server = test) =>
  post(server, '/api/users/', { name: 'Grace', email, password, confirmPassword: password, invitation })
const verify = async (email: string, server = test) => {
  const token = new URL((await waitForMail(test, email)).link ?? '').searchParams.get('token')
  return post(server, '/api/users/verify', { token })
}
const accountsOf = (emails: string[]) => db.selectFrom('users').select('id').where('email', 'in', emails).execute()

it('lets one person register with its link, and is used up by the account', async () => {
  const token = await invite()
  expect(token).toMatch(/^[\w-]{43}$/)
  const stored = JSON.stringify(await db.selectFrom('invitations').selectAll().execute())
  expect(stored).not.toContain(token)
  expect((await registerWith(token, 'one@uni.example', other)).statusCode).toBe(201)
  expect((await verify('one@uni.example')).statusCode).toBe(200)
  expect((await verify('one@uni.example')).statusCode).toBe(200)
  expectRefusal(await registerWith(token, 'two@uni.example'), 'invitation_invalid')
  expect(await list()).toMatchObject([{ email: null, usedAt: expect.any(String) }])
})

it('is mailed to somebody, whose link alone has the token', async () => {
  const email = 'guest@elsewhere.example'
  expect(await invite({ email })).toBeNull()
  const mail = await waitForMail(test, email)
  const link = new URL(mail.link ?? '')
  expect(link.pathname).toBe('/register')
  const token = link.searchParams.get('invitation') ?? ''
  const { rows } = await sql<{ text: string }>`SELECT data::text AS text FROM pgboss.job`.execute(db)
  for (const { text } of rows) expect(text).not.toContain(token)
  // Whoever the link was passed on to.
  expect((await registerWith(token, 'friend@elsewhere.example')).statusCode).toBe(201)
  expect((await verify('friend@elsewhere.example')).statusCode).toBe(200)
})

it('makes one account of many who register with it at once', async () => {
  const token = await invite()
  const emails = Array.from({ length: 5 }, (_, at) => `crowd.${at}@uni.example`)
  for (const email of emails) expect((await registerWith(token, email)).statusCode).toBe(201)
  const answers = await Promise.all(emails.map((email, at) => verify(email, [test, other][at % 2])))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    expectRefusal(answer, 'invitation_invalid')
  }
  expect(await accountsOf(emails)).toHaveLength(1)
})

it('answers as ever to an address that has an account, and is not used up by it', async () => {
  const token = await invite()
  expect((await registerWith(token, admin.email)).statusCode).toBe(201)
  expect((await waitForMail(test, admin.email)).subject).toContain('account')
  expect((await registerWith(token, 'three@uni.example')).statusCode).toBe(201)
})

it('is worth nothing when it was taken back, is too old, or is none', async () => {
  const [taken, old] = [await invite(), await invite()]
  const email = 'late@uni.example'
  await registerWith(taken, email)
  const [, newest] = await list()
  for (const { _id, usedAt } of await list()) {
    if (usedAt !== null) continue
    const answer = await test.app.inject({
      method: 'DELETE',
      url: `/api/admin/invitations/${_id}`,
      headers: admin.auth,
    })
    expect(answer.statusCode).toBe(204)
  }
  expect(newest).toBeDefined()
  for (const token of [taken, old, 'x'.repeat(43), 'x']) {
    expectRefusal(await registerWith(token, 'nobody@uni.example'), 'invitation_invalid')
  }
  expectRefusal(await verify(email), 'invitation_invalid')
  expect(await accountsOf([email, 'nobody@uni.example'])).toEqual([])
  expect(mailsTo(test, 'nobody@uni.example')).toEqual([])

  const expired = await invite()
  await sql`UPDATE invitations SET expires_at = now() WHERE used_at IS NULL`.execute(db)
  expectRefusal(await registerWith(expired, 'nobody@uni.example'), 'invitation_invalid')
  expect((await post(test, '/api/admin/invitations', { email: 'nonsense' }, admin.auth)).json().code).toBe(
    'invalid_input',
  )
})

it('goes some time after it was over, and accounts stay', async () => {
  await sql`UPDATE invitations SET expires_at = now() - interval '31 days'`.execute(db)
  await deleteOldInvitations(db)
  expect(await list()).toEqual([])
  expect(await accountsOf(['one@uni.example'])).toHaveLength(1)
})
