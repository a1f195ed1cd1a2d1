import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createUser, openTestApp } from '../../testing/app.ts'
import { field, goodFields, makeForm } from '../../testing/form.ts'
import { expectNothingKept } from '../../testing/storage-assertions.ts'

const test = await openTestApp()
const user = await createUser(test)
const intervalMs = 30_000
const kilobyte = 2 ** 10
const serverSides: Socket[] = []
test.app.server.on('connection', (socket: Socket) => serverSides.push(socket))
const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)
// Only the guard's timers are faked: an interval passes when a test advances them.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(async () => {
  vi.useRealTimers()
  await expectNothingKept(test, user.id)
})

const bigFile = { content: Buffer.alloc(200 * kilobyte) }
const { payload, headers } = makeForm([...goodFields, field('instructor', 'x'.repeat(100)), bigFile])
const head = [
  'POST /api/notes HTTP/1.1',
  'Host: localhost',
  `Authorization: ${user.auth.authorization}`,
  `Content-Type: ${headers['content-type']}`,
  `Content-Length: ${payload.length}`,
].join('\r\n')

/**
 * Opens a connection that sends the head of an upload, and waits until the guard watches it besides `watched` others.
 */
async function beginUpload(watched = vi.getTimerCount()) {
  const socket = connect(port, '127.0.0.1')
  let [isClosed, sentBytes, received] = [false, 0, '']
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.write(`${head}\r\n\r\n`)
  const hasArrived = async (bytes: number) => {
    const side = () => serverSides.find((each) => each.remotePort === socket.localPort)
    await expect.poll(() => side()?.bytesRead ?? 0).toBeGreaterThanOrEqual(bytes)
  }
  await hasArrived(head.length + 4)
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(watched)
  return {
    isClosed: () => isClosed,
    received: () => received,
    /** Sends the next bytes of the body, and waits until they have arrived. */
    async send(bytes: number) {
      socket.write(payload.subarray(sentBytes, sentBytes + bytes))
      sentBytes = Math.min(payload.length, sentBytes + bytes)
      await hasArrived(head.length + 4 + sentBytes)
    },
  }
}

it('cuts off a body that began well and then stalled', async () => {
  const upload = await beginUpload()
  await upload.send(150 * kilobyte)
  vi.advanceTimersByTime(intervalMs)
  await upload.send(100)
  expect(upload.isClosed()).toBe(false)
  vi.advanceTimersByTime(intervalMs)
  await expect.poll(upload.isClosed).toBe(true)
})

it('waits for a slow phone', async () => {
  const upload = await beginUpload()
  for (let sent = 0; sent < payload.length; sent += 20 * kilobyte) {
    await upload.send(20 * kilobyte)
    vi.advanceTimersByTime(intervalMs)
  }
  // The file is no PDF; this response shows that the server read the body to its end.
  await expect.poll(upload.received).toMatch(/^HTTP\/1\.1 400 [\s\S]*upload_not_pdf/)
})

it('forgets a body that has come, and a client that has gone', async () => {
  const before = vi.getTimerCount()
  const upload = await beginUpload()
  await upload.send(payload.length)
  await expect.poll(upload.received).toContain('upload_not_pdf')
  await expect.poll(() => vi.getTimerCount()).toBe(before)
})

it('cuts off two hundred of them, while others are served', async () => {
  const before = vi.getTimerCount()
  const uploads = await Promise.all(Array.from({ length: 200 }, () => beginUpload(before)))
  // The server closes refused uploads without the guard.
  const countOpen = () => uploads.filter((upload) => !upload.isClosed()).length
  await expect.poll(() => vi.getTimerCount() - before - countOpen()).toBe(0)
  expect((await fetch(`http://127.0.0.1:${port}/api/notes`, { headers: user.auth })).status).toBe(200)
  vi.advanceTimersByTime(intervalMs)
  await expect.poll(() => uploads.every((upload) => upload.isClosed())).toBe(true)
})
