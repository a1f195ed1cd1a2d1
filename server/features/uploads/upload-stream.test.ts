import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import type { ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createUser, itWithUsers, openTestApp, type TestUser } from '../../testing/app.ts'
import { file, goodFields, makeForm, openUpload, type Part, uploadNote } from '../../testing/form.ts'
import { pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { countNotes, expectNoOrphanedFiles, expectNothingKept } from '../../testing/storage-assertions.ts'

const test = await openTestApp({ MAX_FILES: '3', MAX_FILE_MB: '8' })
const it = itWithUsers(test)
const megabyte = 2 ** 20
const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)

const open = (user: TestUser | null, headers: Record<string, string | number>) => openUpload(port, user, headers)
const written = (request: ClientRequest, chunk: Uint8Array) =>
  new Promise<void>((resolve) => request.write(chunk, () => resolve()))

it('an upload over a connection may come without a length, in small chunks', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file(pdfOfBytes(40_000))])
  const { request, answered } = open(user, headers)
  for (let at = 0; at < payload.length; at += 997) await written(request, payload.subarray(at, at + 997))
  request.end()
  expect(await answered).toMatchObject({ status: 201 })
  expect(await countNotes(test, user.id)).toBe(1)
  await expectNoOrphanedFiles(test)
})

it('an upload over a connection is refused when its session has ended before the last byte', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file(pdfOfBytes(40_000))])
  const { request, answered } = open(user, { ...headers, 'content-length': payload.length })
  const begun = once(test.app.server, 'request')
  await written(request, payload.subarray(0, 20_000))
  await begun
  await expect.poll(() => readdir(join(test.deps.config.dataDir, 'spool'))).toHaveLength(1)
  await test.app.inject({ method: 'POST', url: '/api/users/logout', headers: user.auth })
  request.end(payload.subarray(20_000))
  expect(await answered).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  await expectNothingKept(test, user.id)
})

const large = file(pdfOfBytes(8 * megabyte))
// A browser reads the response only after it has sent everything; otherwise the page never shows the reason.
const refused: [string, Part[], number, string][] = [
  ['the first file is too large', [file(pdfOfBytes(8 * megabyte + 1)), large], 413, 'upload_too_large'],
  ['the first part is none it knows', [{ name: 'other' }, large], 400, 'malformed_request'],
  ['there are too many files', [file(), file(), file(), large], 400, 'upload_limit'],
]
it.each(refused)('an upload over a connection is read to its end although %s', async (_what, parts, status, code) => {
  const user = await createUser(test)
  const { payload, headers } = makeForm([...parts, ...goodFields])
  const { request, answered } = open(user, { ...headers, 'content-length': payload.length })
  for (let at = 0; at < payload.length; at += megabyte) await written(request, payload.subarray(at, at + megabyte))
  request.end()
  expect(await answered).toMatchObject({ status, body: { code } })
  await expectNothingKept(test, user.id)
})

it('an upload over a connection is answered 401 when the access token has run out meanwhile, large as it is', async () => {
  const { payload, headers } = makeForm([...goodFields, large])
  const { request, answered } = open(null, { ...headers, 'content-length': payload.length })
  for (let at = 0; at < payload.length; at += megabyte) await written(request, payload.subarray(at, at + megabyte))
  request.end()
  expect(await answered).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  await expectNoOrphanedFiles(test)
})

it('an upload over a connection is cut off when it has no end', async ({ user }) => {
  const opened = once(test.app.server, 'connection')
  const { request, answered } = open(user, makeForm([]).headers)
  const end = answered.catch(() => 'cut off')
  // Each write waits for the previous one; after the disconnection the writes fail.
  let sent = 0
  const send = () => request.write(Buffer.alloc(megabyte), (error) => !error && sent++ < 200 && send())
  send()
  const [socket] = (await opened) as [Socket]
  expect(await end).toBe('cut off')
  // The limit for all files together, the form's other parts and the chunk that exceeded both.
  expect(socket.bytesRead).toBeLessThan(26 * megabyte)
  await expectNothingKept(test, user.id)
})

it.each([0, 25, 50, 75, 99])('a client that goes away after %i % of an upload leaves nothing', async (percent) => {
  const user = await createUser(test)
  const { payload, headers } = makeForm([...goodFields, file(pdfOfBytes(megabyte)), file(pdfOfBytes(megabyte))])
  for (let round = 0; round < 3; round++) {
    const { request, answered } = open(user, { ...headers, 'content-length': payload.length })
    const gone = answered.catch(() => 'gone')
    await written(request, payload.subarray(0, (payload.length * percent) / 100 + 1))
    request.destroy()
    expect(await gone).toBe('gone')
  }
  // The aborted uploads do not block the next one, and the server has cleaned up after them when it ends.
  await uploadNote(test, user)
  expect(await countNotes(test, user.id)).toBe(1)
  await expectNoOrphanedFiles(test)
})

it('a client that goes away once everything is sent leaves a whole note or none', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file()])
  for (let round = 0; round < 10; round++) {
    const { request, answered } = open(user, { ...headers, 'content-length': payload.length })
    const gone = answered.catch(() => 'gone')
    request.end(payload)
    await new Promise<void>((resolve) => request.once('finish', resolve))
    request.destroy()
    await gone
  }
  await uploadNote(test, user)
  await expectNoOrphanedFiles(test)
})

/** Sends raw bytes. @returns everything received until the server closes, or an empty text. */
function sendRaw(head: string, body: Buffer, after: (socket: Socket) => void = () => {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(`${head}\r\n\r\n`)
    socket.write(body, () => after(socket))
  })
}
const headOf = ({ auth }: TestUser, contentType: string | undefined, length: number) => {
  const headers = [`Authorization: ${auth.authorization}`, `Content-Type: ${contentType}`, `Content-Length: ${length}`]
  return ['POST /api/notes HTTP/1.1', 'Host: x', ...headers].join('\r\n')
}

it('a length that lies being too long, keeps nothing when the client stops', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file()])
  const head = headOf(user, headers['content-type'], payload.length + 100)
  await sendRaw(head, payload.subarray(0, -10), (socket) => socket.end())
  await expectNothingKept(test, user.id)
})

it('a length that lies being too short, is a broken form, and the rest is no request', async ({ user }) => {
  const { payload, headers } = makeForm([...goodFields, file()])
  const head = headOf(user, headers['content-type'], payload.length - 100)
  expect((await sendRaw(head, payload)).match(/HTTP\/1\.1 \d+/g)?.every((line) => line === 'HTTP/1.1 400')).toBe(true)
  await expectNothingKept(test, user.id)
})
