import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createUser, itWithUsers, openTestApp, openTestAppOn, type TestUser } from '../../../testing/app.ts'
import { type FilePart, file, goodFields, makeForm, openUpload, upload, uploadNote } from '../../../testing/form.ts'
import { createPdfWithText, pdfOfBytes } from '../../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { countNotes, expectNoOrphanedFiles, expectNothingKept } from '../../../testing/storage-assertions.ts'
import { deleteOldUploads } from './upload-quota.ts'

const limits = { RATE_LIMIT: 'on', MAX_UPLOAD_MB_PER_DAY: '1', MAX_FILE_MB: '1', MAX_FILES: '2' }
const test = await openTestApp(limits)
const it = itWithUsers(test)
const otherServer = await openTestAppOn(test, limits)
const { db } = test.deps
const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)
const underWay = async (user: TestUser) =>
  (await sql`SELECT FROM uploads WHERE user_id = ${user.id} AND lease_expires_at IS NOT NULL`.execute(db)).rows.length

/** Sends the head of an upload and `sent` bytes of its body. */
function begin(user: TestUser, sent: number) {
  const { payload, headers } = makeForm([...goodFields, file(createPdfWithText('slow'))])
  const { request, answered } = openUpload(port, user, { ...headers, 'content-length': payload.length })
  request.flushHeaders()
  request.write(payload.subarray(0, sent))
  return { answered, finish: () => request.end(payload.subarray(sent)), leave: () => request.destroy() }
}

it('two uploads of a student are in progress on all servers; a third is refused before its body', async ({ user }) => {
  const two = [begin(user, 200), begin(user, 200)]
  await expect.poll(() => underWay(user)).toBe(2)
  const third = begin(user, 0)
  const message = 'You already have 2 uploads in progress. Wait for one to finish.'
  expect(await third.answered).toMatchObject({ status: 429, retryAfter: '5', body: { message } })
  third.leave()
  const elsewhere = await upload(otherServer, user, [...goodFields, file()])
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([429, 'too_many_uploads'])
  await uploadNote(test, await createUser(test))
  for (const { finish } of two) finish()
  expect((await Promise.all(two.map(({ answered }) => answered))).map(({ status }) => status)).toEqual([201, 201])
  await uploadNote(test, user)
  expect(await countNotes(test, user.id)).toBe(3)
  await expectNoOrphanedFiles(test)
})

it('uploads in progress end when the client leaves', async ({ user }) => {
  for (let round = 0; round < 3; round++) {
    const given = begin(user, 200)
    const gone = given.answered.catch(() => 'gone')
    await expect.poll(() => underWay(user)).toBe(1)
    given.leave()
    expect(await gone).toBe('gone')
    await expect.poll(() => underWay(user)).toBe(0)
  }
  await expectNothingKept(test, user.id)
})

it('uploads in progress of a server that died do not count after a while', async ({ user }) => {
  const died = { user_id: user.id, bytes: 2 ** 20, lease_expires_at: sql<Date>`now() - interval '1 second'` }
  await db.insertInto('uploads').values([died, died]).execute()
  await uploadNote(test, user)
})

const half = pdfOfBytes(600_000)
const message = 'You can upload up to 1 MB per 24 hours. Upload the rest in 24 hours.'
const never = 'This is more than the 1 MB you can upload per 24 hours. Split it or make it smaller.'

it('what was uploaded in 24 hours has a limit for each student', async ({ user, other }) => {
  await uploadNote(test, user, half)
  const refused = await upload(otherServer, user, [...goodFields, file(half)])
  expectRefusal(refused, 'daily_upload_limit', message)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  await uploadNote(test, other, half)
  await db.updateTable('uploads').set({ started_at: sql<Date>`now() - interval '25 hours'` }).execute()
  await uploadNote(test, user, half)
  await deleteOldUploads(db)
  expect((await db.selectFrom('uploads').select('user_id').execute()).map((row) => row.user_id)).toEqual([user.id])
  await expectNoOrphanedFiles(test)
})

it('what was uploaded in 24 hours may be exactly as much as is allowed, and no byte more', async ({ user, other }) => {
  await uploadNote(test, user, pdfOfBytes(2 ** 20))
  expectRefusal(await upload(test, user, [...goodFields, file()]), 'daily_upload_limit', message)
  const tooMuch = [file(pdfOfBytes(2 ** 20 - 600_000)), file(pdfOfBytes(600_001))]
  expectRefusal(await upload(test, other, [...goodFields, ...tooMuch]), 'upload_over_daily_limit', never)
  await expectNothingKept(test, other.id)
})

it('an upload over the daily limit is refused with the time when it will be accepted', async ({ user }) => {
  await sql`INSERT INTO uploads (user_id, bytes, started_at) VALUES
      (${user.id}, 600000, now() - interval '20 hours'), (${user.id}, 300000, now() - interval '10 hours')`.execute(db)
  const refusal = async (bytes: number) =>
    (await upload(test, user, [...goodFields, file(pdfOfBytes(bytes))])).json().message
  expect(await refusal(600_000)).toContain('Upload the rest in 4 hours.')
  expect(await refusal(900_000)).toContain('Upload the rest in 14 hours.')
})

it('what was uploaded in 24 hours may be sent without a length, up to what is left', async ({ user }) => {
  const send = (part: FilePart) => {
    const { payload, headers } = makeForm([...goodFields, part])
    const body = { headers: { ...headers, ...user.auth }, payload: Readable.from([payload]) }
    return test.app.inject({ method: 'POST', url: '/api/notes', ...body })
  }
  expect((await send(file(half))).statusCode).toBe(201)
  expectRefusal(await send(file(half)), 'daily_upload_limit', message)
  expect((await send(file())).statusCode).toBe(201)
  expect(await countNotes(test, user.id)).toBe(2)
  await expectNoOrphanedFiles(test)
})

it('what was uploaded in 24 hours counts nothing of an upload that was refused', async ({ user }) => {
  const noPdf = file(Buffer.alloc(600_000, 'x'))
  for (let i = 0; i < 3; i++) expect((await upload(test, user, [...goodFields, noPdf])).statusCode).toBe(400)
  await expectNothingKept(test, user.id)
  await uploadNote(test, user, half)
})
