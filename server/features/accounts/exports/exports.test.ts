import type { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Note } from '../../../../packages/contract/notes.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { SpoolFolder } from '../../../platform/storage/spool.ts'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../../testing/app.ts'
import { expectNoLeak } from '../../../testing/canary.ts'
import { drainJobs } from '../../../testing/drain-jobs.ts'
import { jobContext } from '../../../testing/jobs.ts'
import { waitForMail } from '../../../testing/mails.ts'
import { onePagePdf } from '../../../testing/pdf.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { expectNoOrphanedFilesAfterSweep } from '../../../testing/storage-assertions.ts'
import { documentOf } from '../../../testing/stored-files.ts'
import { logIn, patch, post, rate } from '../../../testing/students.ts'
import { hoursUntil } from '../../../testing/times.ts'
import { removeUser } from '../deletion/account-deletion.ts'
import { buildExport, deleteOldExports } from './exports.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const limited = await openTestApp({ RATE_LIMIT: 'on' })
const { db } = test.deps
const ask = ({ auth }: TestUser, { app } = test) => post({ app }, '/api/users/me/export', undefined, auth)
const describeIt = async ({ auth }: TestUser) =>
  (await test.app.inject({ url: '/api/users/me/export', headers: auth })).json().export
const fetchIt = ({ auth }: TestUser) => test.app.inject({ url: '/api/users/me/export/file', headers: auth })

async function askAndWait(user: TestUser): Promise<void> {
  await ask(user)
  await drainJobs(test)
  expect((await describeIt(user))?.ready ?? null).not.toBeNull()
}

/** Unpacks the ZIP with an independent library. @returns the JSON, the names of the other files and their reader. */
function unpack(zip: Buffer) {
  const { 'lectern.json': data = new Uint8Array(), ...files } = unzipSync(zip)
  const read = (file: string) => files[file]
  return { data: JSON.parse(Buffer.from(data).toString()), files: Object.keys(files), read }
}

it('an export holds the files of one’s notes and a JSON, and is announced by mail', async () => {
  const [user, other] = [await createUser(test), await createUser(test, { name: 'Zyxwvut Canary' })]
  const bytes = Buffer.concat([onePagePdf, Buffer.from('% another one\n')])
  const own = await createNote(test, user, { title: 'Week 1: a/b?', content: bytes })
  await createNote(test, user, { title: 'Week 1: a/b?', isAnonymous: true })
  const liked = await createNote(test, other, { title: 'Liked' })
  await rate(test, user, liked, { likes: '+' })
  const { export: asked } = (await ask(user)).json()
  expect(asked.ready).toBeNull()
  const mail = await waitForMail(test, user.email)
  expect([mail.subject, mail.link]).toEqual(['Your Lectern export is ready', 'http://localhost:3000/settings#export'])
  const { ready } = await describeIt(user)
  expect(hoursUntil(ready.expiresAt)).toBeCloseTo(3 * 24, 0)
  const file = await fetchIt(user)
  expect(file.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="lectern.zip"',
    'content-length': String(ready.bytes),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  const { data, files, read } = unpack(file.rawPayload)
  expect(files).toHaveLength(2)
  expect(data.account).toMatchObject({ name: user.name, email: user.email, role: 'student', wordsOfFormerNames: [] })
  expect([data.passkeys, data.twoFactorSince]).toEqual([[], null])
  expect(data.notes).toHaveLength(2)
  const [mine] = data.notes.filter(({ _id }: { _id: string }) => _id === own)
  expect(mine).toMatchObject({ title: 'Week 1: a/b?', courseCode: 'MAT137', isAnonymous: false, likes: 0 })
  expect(Buffer.from(read(mine.file) ?? [])).toEqual(bytes)
  expect(data.likedNotes).toEqual([{ _id: liked, title: 'Liked', courseCode: 'MAT137', academicYear: '2025–26' }])
  // The export contains nothing about other users except the titles of their notes.
  expectNoLeak(other, file)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export gives files names that every system accepts', async ({ user }) => {
  for (const title of ['🦊'.repeat(80), '.', 'a'.repeat(200)]) await createNote(test, user, { title })
  await askAndWait(user)
  const { files } = unpack((await fetchIt(user)).rawPayload)
  expect(files).toHaveLength(3)
  for (const file of files) expect(Buffer.byteLength(file.replace('notes/', ''))).toBeLessThanOrEqual(255)
})

it('an export names a note whose file is missing', async ({ user }) => {
  const noteId = await createNote(test, user)
  await test.deps.files.delete((await documentOf(test, noteId)).file_key)
  await askAndWait(user)
  const { data, files } = unpack((await fetchIt(user)).rawPayload)
  expect([files, data.notes[0].file]).toEqual([[], null])
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
})

it('an export has the user’s own reports, answers and objections, and no others', async () => {
  const [user, other] = [await createUser(test), await createUser(test)]
  const moderator = await createUser(test, { role: 'moderator' })
  const [theirs, own] = [await createNote(test, other), await createNote(test, user, { title: 'Rings' })]
  const send = ({ auth }: TestUser, url: string, body: object) => post(test, url, body, auth)
  await send(user, `/api/notes/${theirs}/reports`, { rule: 'exam', text: 'Zqxmine' })
  await send(other, `/api/notes/${own}/reports`, { rule: 'exam', text: 'Zqxtheirs' })
  await send(moderator, `/api/moderation/notes/${own}/decisions`, { kind: 'hide', rule: 'exam', reason: 'No.' })
  await send(user, `/api/users/me/notes/${own}/objection`, { text: 'Zqxobjection' })
  await askAndWait(user)
  const file = await fetchIt(user)
  const { data } = unpack(file.rawPayload)
  expect(data.reports).toMatchObject([{ noteId: theirs, rule: 'exam', text: 'Zqxmine' }])
  expect(data.fromTheModerators).toMatchObject([
    { _id: own, hidden: { rule: 'exam', reason: 'No.' }, objection: { text: 'Zqxobjection' } },
  ])
  for (const trace of ['Zqxtheirs', other.id, moderator.id]) expect(JSON.stringify(data)).not.toContain(trace)
})

it('an export has everything that is known of its owner: since when, former names, devices, and where they stopped in every note', async () => {
  const user = await createUser(test, { name: 'Ada Formername' })
  await logIn(test, user.email)
  await patch(test, '/api/users/me/name', { name: 'Ada King' }, user.auth)
  const read: string[] = []
  for (let count = 0; count < 6; count++) {
    const noteId = await createNote(test, await createUser(test))
    await patch(test, `/api/notes/${noteId}/reading`, { page: 1 }, user.auth)
    read.push(noteId)
  }
  await askAndWait(user)
  const { data } = unpack((await fetchIt(user)).rawPayload)
  expect(Date.parse(data.account.registeredAt)).toBeLessThanOrEqual(Date.now())
  expect(data.account).toMatchObject({ name: 'Ada King', wordsOfFormerNames: expect.arrayContaining(['formername']) })
  expect(data.devices.length).toBeGreaterThan(0)
  expect(data.devices[0]).toEqual({ device: null, startedAt: expect.any(String), lastUsedAt: expect.any(String) })
  expect(data.readingPositions.map(({ _id }: Note) => _id).sort()).toEqual(read.sort())
  expect(data.readingPositions[0]).toMatchObject({ page: 1, readAt: expect.any(String) })
})

it('an export is its owner’s alone', async ({ user, other }) => {
  await askAndWait(user)
  expectRefusal(await fetchIt(other), 'export_not_found')
  expectRefusal(await test.app.inject({ url: '/api/users/me/export/file' }), 'unauthorized')
  expect(await describeIt(other)).toBeNull()
})

it('an export has an address that is good for this export, this session and ten minutes', async ({ user, other }) => {
  for (const each of [user, other]) await askAndWait(each)
  const { link, bytes } = (await describeIt(user)).ready
  const open = (url: string, headers = {}) => test.app.inject({ url, headers })
  const whole = await open(link)
  expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, bytes])
  const rest = await open(link, { range: 'bytes=10-', 'if-range': String(whole.headers.etag) })
  expect([rest.statusCode, rest.headers['content-range']]).toEqual([206, `bytes 10-${bytes - 1}/${bytes}`])
  expect(rest.rawPayload).toEqual(whole.rawPayload.subarray(10))
  const opened = vi.spyOn(test.deps.files, 'get')
  const head = await test.app.inject({ url: link, method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(bytes), ''])
  expect(opened).not.toHaveBeenCalled()
  const url = new URL(link, 'http://x')
  const token = url.searchParams.get('link') ?? ''
  expectRefusal(await open('/api/users/me', { authorization: `Bearer ${token.split('~')[1]}` }), 'unauthorized')
  expectRefusal(await open(`/api/users/me?${url.searchParams}`), 'unauthorized')
  const others = new URL((await describeIt(other)).ready.link, 'http://x').searchParams.get('link') ?? ''
  const mixed = `${others.split('~')[0]}~${token.split('~')[1]}`
  expectRefusal(await open(`${url.pathname}?${new URLSearchParams({ link: mixed })}`), 'unauthorized')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 60_000 })
  expectRefusal(await open(link), 'unauthorized')
  vi.useRealTimers()
  expect((await open(link)).statusCode).toBe(200)
  await askAndWait(user)
  expectRefusal(await open(link), 'export_not_found')
  const { link: renewed } = (await describeIt(user)).ready
  await post(test, '/api/users/logout', undefined, user.auth)
  expectRefusal(await open(renewed), 'unauthorized')
})

it('an export goes after some days, and so does its file', async ({ user }) => {
  await askAndWait(user)
  const expired = { expires_at: sql<Date>`now() - interval '1 second'` }
  await db.updateTable('exports').set(expired).where('user_id', '=', user.id).execute()
  expectRefusal(await fetchIt(user), 'export_not_found')
  expect(await describeIt(user)).toBeNull()
  await deleteOldExports(db)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export whose job failed for good can be requested again after some days', async ({ user }) => {
  const age = (days: number) =>
    db
      .updateTable('exports')
      .set({ requested_at: sql<Date>`now() - ${days} * interval '1 day'` })
      .where('user_id', '=', user.id)
      .execute()
  const countRows = async () =>
    (await db.selectFrom('exports').select('id').where('user_id', '=', user.id).execute()).length
  await db.insertInto('exports').values({ user_id: user.id }).execute()
  await age(2.9)
  await deleteOldExports(db)
  expect((await describeIt(user)).ready).toBeNull()
  await age(3.1)
  expect(await describeIt(user)).toBeNull()
  await askAndWait(user)
  await db.deleteFrom('exports').where('user_id', '=', user.id).execute()
  await db.insertInto('exports').values({ user_id: user.id }).execute()
  await age(3.1)
  await deleteOldExports(db)
  expect(await countRows()).toBe(0)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export goes with its student', async ({ user }) => {
  await askAndWait(user)
  await inTransaction(db, (tx) => removeUser(tx, user.id))
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export is made once for many simultaneous requests; another request replaces it', async ({ user }) => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(user)))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  await waitForMail(test, user.email)
  await ask(user)
  await waitForMail(test, user.email, 2)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export leaves no second file when a run is repeated, and none when it fails permanently', async ({ user }) => {
  await createNote(test, user)
  const row = await db.insertInto('exports').values({ user_id: user.id }).returning('id').executeTakeFirstOrThrow()
  const run = (signal = jobContext.signal) => buildExport(test.deps, { exportId: row.id }, { ...jobContext, signal })
  await expect(run(AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up')
  expect((await describeIt(user)).ready).toBeNull()
  await Promise.all([run(), run()])
  await run()
  expect((await fetchIt(user)).statusCode).toBe(200)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export names the damaged stored file, and closes every file when the disk is full', async ({ user }) => {
  const [short] = [await createNote(test, user, { title: 'Short' }), await createNote(test, user, { title: 'Whole' })]
  const { file_key: shortKey } = await documentOf(test, short)
  const opened: Readable[] = []
  const get = async (key: string) => {
    const stored = await test.deps.files.get(key, key === shortKey ? { start: 0, end: 99 } : undefined)
    if (stored) opened.push(stored)
    return stored
  }
  const row = await db.insertInto('exports').values({ user_id: user.id }).returning('id').executeTakeFirstOrThrow()
  const run = (write?: SpoolFolder['write']) => {
    const openFolder = async () => ({ ...(await test.deps.spool.openFolder()), ...(write && { write }) })
    const deps = { ...test.deps, files: { ...test.deps.files, get }, spool: { ...test.deps.spool, openFolder } }
    return buildExport(deps, { exportId: row.id }, jobContext)
  }
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  await expect(run(() => Promise.reject(full))).rejects.toThrow('no space')
  expect(opened.map(({ destroyed }) => destroyed)).toEqual(opened.map(() => true))
  await run()
  expect(opened.map(({ destroyed }) => destroyed)).toEqual(opened.map(() => true))
  const { data, read } = unpack((await fetchIt(user)).rawPayload)
  const [damaged, whole] = ['Short', 'Whole'].map((title) => data.notes.find((one: Note) => one.title === title))
  expect([damaged.isDamaged, read(damaged.file)?.length]).toEqual([true, 100])
  expect([whole.isDamaged, read(whole.file)?.length]).toEqual([undefined, onePagePdf.length])
  await expectNoOrphanedFilesAfterSweep(test)
})

it('an export can be requested three times a day', async () => {
  const user = await createUser(limited)
  for (let count = 1; count <= 3; count++) {
    expect((await ask(user, limited)).statusCode).toBe(200)
    await waitForMail(limited, user.email, count)
  }
  expectRefusal(await ask(user, limited), 'rate_limited')
})
