import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Invitation, Invitations } from '../../../../packages/contract/instance-settings.ts'
import { invitationPageSize } from '../../../../packages/contract/instance-settings.ts'
import { createUser, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal, expectStatus, expectSuccesses } from '../../../testing/refusal.ts'
import { get, patch, post, remove } from '../../../testing/students.ts'
import { deleteOldInvitations } from './invitations.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
const { db } = test.deps
const admin = await createUser(test, { role: 'admin' })
await patch(test, '/api/admin/settings', { registration: { mode: 'invited', domains: [] } }, admin.auth)

const invite = async (body: object = {}): Promise<string> => {
  const answer = await expectStatus(201, post(test, '/api/admin/invitations', body, admin.auth))
  return answer.json().token
}
const list = async () =>
  (await get(test, '/api/admin/invitations', admin.auth)).json<{ invitations: Invitation[] }>().invitations
const registerWith = (invitation: string, email: string, server = test) =>
  post(server, '/api/users/', { name: 'Grace', email, password, confirmPassword: password, invitation })
const verify = async (email: string, server = test) =>
  post(server, '/api/users/verify', { token: tokenOf(await waitForMail(test, email)) })
const accountsOf = (emails: string[]) => db.selectFrom('users').select('id').where('email', 'in', emails).execute()

it('lets one person register with its link, and is used up by the account', async () => {
  const token = await invite()
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(JSON.stringify(await db.selectFrom('invitations').selectAll().execute())).not.toContain(token)
  expect((await registerWith(token, 'one@uni.example', other)).statusCode).toBe(201)
  expect((await verify('one@uni.example')).statusCode).toBe(200)
  expect((await verify('one@uni.example')).statusCode).toBe(200)
  expectRefusal(await registerWith(token, 'two@uni.example'), 'invitation_invalid')
  expect(await list()).toMatchObject([{ email: null, usedAt: expect.any(String) }])
})

it('is mailed, and only the mailed link has the token', async () => {
  const email = 'guest@elsewhere.example'
  expect(await invite({ email })).toBeNull()
  const mail = await waitForMail(test, email)
  const link = new URL(mail.link ?? '')
  expect(link.pathname).toBe('/register')
  const token = link.searchParams.get('invitation') ?? ''
  const { rows } = await sql<{ text: string }>`SELECT data::text AS text FROM pgboss.job`.execute(db)
  for (const { text } of rows) expect(text).not.toContain(token)
  // The link works for any address, so its recipient may pass it on.
  expect((await registerWith(token, 'friend@elsewhere.example')).statusCode).toBe(201)
  expect((await verify('friend@elsewhere.example')).statusCode).toBe(200)
})

it('is mailed once to an address while it is pending, and again when an admin resends it, with the same link', async () => {
  const email = 'asked@elsewhere.example'
  const again = (id: string) => post(test, `/api/admin/invitations/${id}/again`, undefined, admin.auth)
  const revoke = (id: string) => remove(test, `/api/admin/invitations/${id}`, admin.auth)
  const invites = Array.from({ length: 12 }, (_, n) =>
    post(n % 2 ? test : other, '/api/admin/invitations', { email }, admin.auth),
  )
  await expectSuccesses(1, invites, 'invitation_waits')
  const first = await waitForMail(test, email)
  const [waiting, ...others] = (await list()).filter((one) => one.email === email)
  if (!waiting) throw new Error('It is not among the invitations')
  expect(others).toEqual([])
  await sql`UPDATE invitations SET expires_at = now() + interval '1 hour' WHERE id = ${waiting._id}`.execute(db)
  expect((await again(waiting._id)).statusCode).toBe(204)
  expect((await waitForMail(test, email, 2)).link).toBe(first.link)
  const { expiresAt } = (await list()).find(({ _id }) => _id === waiting._id) ?? waiting
  expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(Date.parse(waiting.expiresAt))
  await registerWith(new URL(first.link ?? '').searchParams.get('invitation') ?? '', email)
  const verification = tokenOf(await waitForMail(test, email, 3))
  expect((await post(test, '/api/users/verify', { token: verification })).statusCode).toBe(200)
  for (const each of [again, revoke]) expectRefusal(await each(waiting._id), 'invitation_over')
  await invite()
  const [link] = (await list()).filter((one) => one.email === null && one.usedAt === null)
  expectRefusal(await again(link?._id ?? ''), 'invitation_over')
  expect(mailsTo(test, email)).toHaveLength(3)
  // A used invitation no longer blocks a new one.
  expect((await post(test, '/api/admin/invitations', { email }, admin.auth)).statusCode).toBe(201)
  const entries = await db.selectFrom('audit_entries').select('details').where('subject_id', '=', waiting._id).execute()
  expect(entries.map(({ details }) => (details as { kind: string }).kind).sort()).toEqual(['invite', 'send again'])
})

it('is mailed again so often', async () => {
  const limited = await openTestAppOn(test, { RATE_LIMIT: 'on' })
  const email = 'often@elsewhere.example'
  await invite({ email })
  const [waiting] = (await list()).filter((one) => one.email === email)
  const again = () => post(limited, `/api/admin/invitations/${waiting?._id}/again`, undefined, admin.auth)
  for (let count = 0; count < 3; count++) expect((await again()).statusCode).toBe(204)
  expectRefusal(await again(), 'rate_limited')
})

it('makes one account of many simultaneous registrations with it', async () => {
  const token = await invite()
  const emails = Array.from({ length: 5 }, (_, at) => `crowd.${at}@uni.example`)
  for (const email of emails) expect((await registerWith(token, email)).statusCode).toBe(201)
  const verifications = emails.map((email, at) => verify(email, [test, other][at % 2]))
  await expectSuccesses(1, verifications, 'invitation_invalid')
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
  const waiting = (await list()).filter(({ usedAt }) => usedAt === null)
  // The second request stands for one that is repeated.
  for (const { _id } of [...waiting, ...waiting])
    expect((await remove(test, `/api/admin/invitations/${_id}`, admin.auth)).statusCode).toBe(204)
  for (const token of [taken, old, 'x'.repeat(43), 'x'])
    expectRefusal(await registerWith(token, 'nobody@uni.example'), 'invitation_invalid')
  expectRefusal(await verify(email), 'invitation_invalid')
  expect(await accountsOf([email, 'nobody@uni.example'])).toEqual([])
  expect(mailsTo(test, 'nobody@uni.example')).toEqual([])
  const expired = await invite()
  await sql`UPDATE invitations SET expires_at = now() WHERE used_at IS NULL`.execute(db)
  expectRefusal(await registerWith(expired, 'nobody@uni.example'), 'invitation_invalid')
  const nonsense = await post(test, '/api/admin/invitations', { email: 'nonsense' }, admin.auth)
  expect(nonsense.json().code).toBe('invalid_input')
})

it('is in the list, pending ones first, on as many pages as needed', async () => {
  await sql`INSERT INTO invitations (email, created_at, expires_at, used_at)
    SELECT 'many.' || n, now(), now() + interval '1 day', CASE WHEN n > 70 THEN now() END
      FROM generate_series(1, 130) n`.execute(db)
  const found: Invitation[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const url: string = `/api/admin/invitations${after && `?after=${after}`}`
    const page: Invitations = (await get(test, url, admin.auth)).json()
    expect(page.invitations.length).toBeLessThanOrEqual(invitationPageSize)
    found.push(...page.invitations)
    const last = found.at(-1)
    after = page.hasMore ? `${last?.usedAt ? 'used' : 'waiting'},${last?.createdAt},${last?._id}` : undefined
  }
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length)
  expect(found.filter(({ email }) => email?.startsWith('many.'))).toHaveLength(130)
  const firstUsed = found.findIndex(({ usedAt }) => usedAt !== null)
  expect(found.slice(firstUsed).filter(({ usedAt }) => usedAt === null)).toEqual([])
})

it('does not prevent registrations that the policy allows without it', async () => {
  const policy = (mode: string, domains: string[] = []) =>
    patch(test, '/api/admin/settings', { registration: { mode, domains } }, admin.auth)
  const [used, emails] = [await invite(), ['first@open.example', 'second@open.example']]
  for (const email of emails) expect((await registerWith(used, email)).statusCode).toBe(201)
  expect((await verify('first@open.example')).statusCode).toBe(200)
  expectRefusal(await verify('second@open.example'), 'invitation_invalid')
  await policy('domains', ['open.example'])
  expectRefusal(await registerWith(used, 'third@uni.example'), 'invitation_invalid')
  expect((await verify('second@open.example')).statusCode).toBe(200)
  expect((await registerWith(used, 'third@open.example')).statusCode).toBe(201)
  await policy('open')
  expect((await registerWith('x', 'third@uni.example')).statusCode).toBe(201)
  expect((await verify('third@uni.example')).statusCode).toBe(200)
  await policy('invited')
})

it('goes some time after it was over, and accounts stay', async () => {
  await sql`UPDATE invitations SET expires_at = now() - interval '31 days'`.execute(db)
  await deleteOldInvitations(db)
  expect(await list()).toEqual([])
  expect(await accountsOf(['one@uni.example'])).toHaveLength(1)
})
