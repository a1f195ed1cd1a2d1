import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import { type AuditPage, type Member, type MemberList, memberPageSize } from '../../../../packages/contract/members.ts'
import { asViewer, createNote, createUser, openTestApp, openTestAppOn, type TestUser } from '../../../testing/app.ts'
import { file, goodFields, upload } from '../../../testing/form.ts'
import { onePagePdf } from '../../../testing/pdf.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { post } from '../../../testing/students.ts'
import { collectUserData } from '../../accounts/exports/write-zip.ts'

const test = await openTestApp({ RATE_LIMIT: 'on', MAX_UPLOAD_MB_PER_DAY: '5' })
const other = await openTestAppOn(test, { RATE_LIMIT: 'on', MAX_UPLOAD_MB_PER_DAY: '5' })
const { db } = test.deps
const [admin, moderator] = [await createUser(test, { role: 'admin' }), await createUser(test, { role: 'moderator' })]
const student = await createUser(test)
const call = (user: TestUser | null, method: string, url: string, payload?: object) =>
  test.app.inject({ method: method as 'GET', url, headers: { ...user?.auth }, ...(payload && { payload }) })
const listed = async (text?: string): Promise<Member[]> => {
  const query = text === undefined ? '' : `?text=${encodeURIComponent(text)}`
  return (await call(admin, 'GET', `/api/admin/members${query}`)).json().members
}
const setQuota = (user: TestUser, dailyUploadMb: number | null) =>
  call(admin, 'PATCH', `/api/admin/members/${user.id}/quota`, { dailyUploadMb })

it('finds accounts by parts of their names and addresses, and tells nothing of what they share', async () => {
  const user = await createUser(test, { name: 'Zoë 100%_Quaint', email: 'zq.quaint@uni.example' })
  await createNote(test, user, { isAnonymous: true, title: 'Zqxtitle' })
  for (const text of ['zoë', '100%_', 'zq.QUAINT@', ' quaint '])
    expect(await listed(text)).toEqual([{ _id: user.id, name: user.name, email: user.email, role: 'student' }])
  for (const text of ['100%%', '_uaint', "' OR true --"]) expect(await listed(text)).toEqual([])
  const special = await listed()
  expect(special.map(({ _id }) => _id)).toEqual(expect.arrayContaining([admin.id, moderator.id]))
  expect(special.map(({ _id }) => _id)).not.toContain(user.id)
})

it('lists every account that has a role, page by page', async () => {
  await sql`INSERT INTO users (name, email, role) SELECT 'Many', 'many.' || n || '@uni.example', 'moderator'
    FROM generate_series(1, 120) n`.execute(db)
  const found: string[] = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: MemberList = (await call(admin, 'GET', `/api/admin/members?after=${after}`)).json()
    expect(page.members.length).toBeLessThanOrEqual(memberPageSize)
    found.push(...page.members.map(({ email }) => email))
    after = page.hasMore ? found.at(-1) : undefined
  }
  expect(found).toEqual([...new Set(found)])
  expect(found.filter((email) => email.startsWith('many.'))).toHaveLength(120)
  await db.deleteFrom('users').where('name', '=', 'Many').execute()
})

it('lets an admin say what all and single students may upload, and never more than the environment', async () => {
  const user = await createUser(test)
  const big = Buffer.concat([onePagePdf, Buffer.alloc(2 ** 20 * 1.2)])
  const share = (server = test) => upload(server, user, [...goodFields, file(big)])
  const change = (body: object) => call(admin, 'PATCH', '/api/admin/settings', body)
  expect((await change({ dailyUploadMb: 1 })).json()).toMatchObject({ dailyUploadMb: 1, maxDailyUploadMb: 5 })
  expectRefusal(await share(other), 'upload_over_daily_limit', errorMessage('upload_over_daily_limit', { maxMb: 1 }))
  expect((await setQuota(user, 3)).statusCode).toBe(204)
  expect([(await share(other)).statusCode, (await share()).statusCode]).toEqual([201, 201])
  expect((await share()).json().message).toContain('up to 3 MB')
  await setQuota(user, 1_000)
  for (const status of [201, 201, 429]) expect((await share()).statusCode).toBe(status)
  expect((await share()).json().message).toContain('up to 5 MB')
  expect(await listed(user.email)).toMatchObject([{ dailyUploadMb: 1_000 }])
  expect((await collectUserData(db, asViewer(user))).account).toMatchObject({ uploadMbPerDay: 1_000 })
  await setQuota(user, null)
  expect((await listed(user.email))[0]).not.toHaveProperty('dailyUploadMb')
  expectRefusal(await setQuota({ ...user, id: crypto.randomUUID() }, 3), 'member_not_found')
  for (const bad of [0, -1, 1.5, 1e9]) expect((await setQuota(user, bad)).json().code).toBe('invalid_input')
  await change({ dailyUploadMb: null })
  await setQuota(user, 3)
  await db.deleteFrom('notes').where('user_id', '=', user.id).execute()
  await db.deleteFrom('users').where('id', '=', user.id).execute()
  expect(await db.selectFrom('upload_quotas').selectAll().where('user_id', '=', user.id).execute()).toEqual([])
})

it('writes all of it down, for admins to read, with names where they are known', async () => {
  const user = await createUser(test, { name: 'Quentin' })
  const note = await createNote(test, user, { title: 'Old exams', isAnonymous: true })
  await setQuota(user, 7)
  await call(admin, 'PATCH', '/api/admin/settings', { announcement: { text: 'Hello', days: 1 } })
  await call(admin, 'POST', '/api/admin/invitations', { email: 'zq.guest@uni.example' })
  await post(test, `/api/notes/${note}/reports`, { rule: 'exam' }, student.auth)
  const keep = { kind: 'keep', rule: 'exam', reason: 'It is an old one.' }
  await post(test, `/api/moderation/notes/${note}/decisions`, keep, moderator.auth)
  const page: AuditPage = (await call(admin, 'GET', '/api/admin/audit')).json()
  expect(page.entries.slice(0, 4)).toMatchObject([
    { action: 'decision', actor: { _id: moderator.id }, subject: { _id: note, text: 'Old exams' } },
    { action: 'invitation', details: { kind: 'invite', by: 'mail' } },
    { action: 'settings', subject: null, details: { kind: 'announcement', text: 'Hello', days: '1' } },
    {
      action: 'quota',
      actor: { _id: admin.id, name: admin.name, email: admin.email },
      subject: { _id: user.id, text: 'Quentin', email: user.email },
    },
  ])
  expect(JSON.stringify(page)).not.toContain('zq.guest')
  for (const ofAuthor of [user.id, user.email]) expect(JSON.stringify(page.entries[0])).not.toContain(ofAuthor)
  const before = page.entries.at(-2)?.number
  const rest: AuditPage = (await call(admin, 'GET', `/api/admin/audit?before=${before}`)).json()
  expect(rest.entries).toEqual(page.entries.slice(-1))
  expect(rest.hasMore).toBe(false)
})
