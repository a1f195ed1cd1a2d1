import { request as httpRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parse as parseDisposition } from 'content-disposition'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { expectRefusal, expectStatus } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { documentOf } from '../../testing/stored-files.ts'
import { remove } from '../../testing/students.ts'
import { readByteRange } from './send-note-file.ts'

const test = await openTestApp()
const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
const view = (user: TestUser, noteId: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.inject({ method, url: `/api/notes/${noteId}/view`, headers: { ...user.auth, ...headers } })

it('GET /api/notes/{id}/view sends the file as it came, as nothing but a PDF', async () => {
  const content = pdfOfBytes(300_000)
  const noteId = await createNote(test, owner, { title: 'Linear Algebra', content })
  const response = await expectStatus(200, view(reader, noteId))
  expect(response.rawPayload.equals(content)).toBe(true)
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(content.length),
    'content-disposition': 'inline; filename="Linear Algebra.pdf"',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none';(?!.*sandbox)/),
    etag: expect.stringMatching(/^"[\w-]+"$/),
  })
  expect(response.headers).not.toHaveProperty('last-modified')
})

it.each([
  ['a "quoted" name', 'a "quoted" name.pdf'],
  ['Théorie – été', 'Théorie – été.pdf'],
  ['微分積分 📚', '微分積分 📚.pdf'],
  ['100% \\ ; filename=evil.html', '100% \\ ; filename=evil.html.pdf'],
  ['a.pdf.html', 'a.pdf.html.pdf'],
  ['..', '...pdf'],
  ['x'.repeat(200), `${'x'.repeat(200)}.pdf`],
])('GET /api/notes/{id}/view names the file after the title %j', async (title, fileName) => {
  const noteId = await createNote(test, owner, { title })
  const header = String((await view(reader, noteId)).headers['content-disposition'])
  expect(header).toMatch(/^[\x20-\x7e]+$/)
  expect(parseDisposition(header)).toMatchObject({ type: 'inline', parameters: { filename: fileName } })
})

it('GET /api/notes/{id}/view answers 304 to a client that has the current file, and sends the file to all others', async () => {
  const noteId = await createNote(test, owner)
  const etag = String((await view(reader, noteId)).headers.etag)
  for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const response = await view(reader, noteId, { 'if-none-match': held })
    expect([response.statusCode, response.rawPayload.length, response.headers.etag]).toEqual([304, 0, etag])
  }
  expect((await view(reader, noteId, { 'if-none-match': '"other"' })).statusCode).toBe(200)
})

it('GET /api/notes/{id}/view sends a range, none beyond the end, and never more than the file', async () => {
  const content = pdfOfBytes(10_000)
  const noteId = await createNote(test, owner, { content })
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=9990-20000', 9_990, 9_999],
    [`bytes=${'0-,'.repeat(1000)}0-`, 0, 9_999],
  ]
  for (const [range, start, end] of ranges) {
    const response = await expectStatus(206, view(reader, noteId, { range }))
    expect(response.rawPayload.equals(content.subarray(start, end + 1))).toBe(true)
    expect(response.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/10000`,
      'content-length': String(end - start + 1),
      'content-type': 'application/pdf',
    })
  }
  const { statusCode, headers, rawPayload } = await view(reader, noteId, { range: 'bytes=10000-' })
  expect([statusCode, headers['content-range'], rawPayload.length]).toEqual([416, 'bytes */10000', 0])
  const many = `bytes=${Array.from({ length: 1000 }, (_, i) => `${2 * i}-${2 * i}`).join(',')}`
  const whole = await view(reader, noteId, { range: many })
  expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, 10_000])
})

it('GET /api/notes/{id}/view sends the whole file when the range is of another version', async () => {
  const noteId = await createNote(test, owner, { content: pdfOfBytes(10_000) })
  const etag = String((await view(reader, noteId)).headers.etag)
  expect((await view(reader, noteId, { range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206)
  expect((await view(reader, noteId, { range: 'bytes=0-9', 'if-range': '"old"' })).statusCode).toBe(200)
})

it('GET /api/notes/{id}/view tells HEAD what GET would send', async () => {
  const noteId = await createNote(test, owner, { content: pdfOfBytes(10_000) })
  const [get, head] = [await view(reader, noteId), await view(reader, noteId, {}, 'HEAD')]
  expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  expect(head.headers['content-length']).toBe('10000')
  expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
})

it('GET /api/notes/{id}/view refuses an unknown note and what is no id', async () => {
  expectRefusal(await view(reader, crypto.randomUUID()), 'note_not_found')
  for (const id of ['not-an-id', '%00', '..%2f..%2fetc%2fpasswd', "'%20OR%201=1--"])
    expectRefusal(await view(reader, id), 'invalid_input', 'Invalid UUID')
})

it('GET /api/notes/{id}/view answers 500 in JSON when the file is missing, and keeps serving the others', async () => {
  const [lost, fine] = [await createNote(test, owner), await createNote(test, owner)]
  await test.deps.files.delete((await documentOf(test, lost)).file_key)
  const response = await view(reader, lost)
  expectRefusal(response, 'unexpected')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers).not.toHaveProperty('content-disposition')
  expect(response.headers).not.toHaveProperty('etag')
  expect((await view(reader, fine)).statusCode).toBe(200)
  await test.deps.db.deleteFrom('notes').where('id', '=', lost).execute()
  await expectNoOrphanedFilesAfterSweep(test)
})

const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)

it('a note that goes away while it is read is read to its end, and not found after that', async () => {
  const content = pdfOfBytes(8 * 2 ** 20)
  const noteId = await createNote(test, owner, { content })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ port, path: `/api/notes/${noteId}/view`, headers: reader.auth }, resolve)
      .once('error', reject)
      .end()
  })
  expect(response.statusCode).toBe(200)
  // The client has not read the body, so most of it is still unsent.
  expect((await remove(test, `/api/users/me/notes/${noteId}`, owner.auth)).statusCode).toBe(204)
  expectRefusal(await view(reader, noteId), 'note_not_found')
  await expectNoOrphanedFiles(test)
  expect((await buffer(response)).equals(content)).toBe(true)
})

it('a note that goes away while it is read does not hold its file open when the reader leaves', async () => {
  const noteId = await createNote(test, owner, { content: pdfOfBytes(8 * 2 ** 20) })
  const opened: { destroyed: boolean }[] = []
  const { files } = test.deps
  test.deps.files = {
    ...files,
    async get(key, range) {
      const stream = await files.get(key, range)
      if (stream) opened.push(stream)
      return stream
    },
  }
  const request = httpRequest({ port, path: `/api/notes/${noteId}/view`, headers: reader.auth })
  const response = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve).end())
  response.destroy()
  await expect.poll(() => opened.map((stream) => stream.destroyed)).toEqual([true])
  test.deps.files = files
})

const whole = { start: 0, end: 99 }
const all = (range: unknown, ...headers: (string | undefined)[]) => headers.map((header) => [header, range] as const)

it.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ...all(whole, 'bytes=0-', 'bytes=-100', 'bytes=-5000', `bytes=${'0-,'.repeat(1000)}0-`),
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=50-5000', { start: 50, end: 99 }],
  ['Bytes= 5-9 ', { start: 5, end: 9 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=10-19,20-29,0-9', { start: 0, end: 29 }],
  ['bytes=10-19,20-29,15-40', { start: 10, end: 40 }],
  ['bytes=200-300,0-4', { start: 0, end: 4 }],
  ...all('unsatisfiable', 'bytes=5-2', 'bytes=100-', 'bytes=-0', `bytes=${'9'.repeat(400)}-`),
  ...all(null, 'bytes=1e9-', 'bytes=0-0,50-60', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=1--2', 'pages=1-2', ''),
  [undefined, null],
] as const)('GET /api/notes/{id}/view reads %j of a hundred bytes', (header, range) => {
  expect(readByteRange(header, 100)).toEqual(range)
})
