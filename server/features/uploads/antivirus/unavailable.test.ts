import { writeFile } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { checkAntivirus } from '../../../operations/admin/doctor/checks.ts'
import { serveMetrics } from '../../../operations/metrics/serve-metrics.ts'
import { findFreePort } from '../../../platform/embedded-postgres/free-port.ts'
import { createUser, openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { canary } from '../../../testing/canary.ts'
import { field, file, goodFields, makeForm, upload } from '../../../testing/form.ts'
import { recordLog } from '../../../testing/log.ts'
import { pdfOfBytes } from '../../../testing/pdf-kinds.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { startTcpServer } from '../../../testing/smtp-server.ts'
import { expectNothingKept } from '../../../testing/storage-assertions.ts'
import { createScanner } from './scanner.ts'

const { lines, log } = recordLog('info')
const CLAMAV_URL = `tcp://127.0.0.1:${await findFreePort('127.0.0.1')}`
const test = await openTestApp({ CLAMAV_URL }, log)
beforeEach(() => void lines.splice(0))

const both = [false, true].map((anonymous) => [...goodFields, field('isAnonymous', String(anonymous)), file()])

it('an upload that cannot be scanned is refused, named and anonymous, and nothing of it stays', async () => {
  const user = await createUser(test, canary)
  for (const parts of both) {
    const answer = await upload(test, user, parts)
    expectRefusal(answer, 'scanner_away')
    expect(answer.headers['retry-after']).toBe('30')
    await expectNothingKept(test, user.id)
  }
  expect(lines.join('')).toMatch(/POST \/api\/notes is refused: scanner_away: clamd isn’t responding: .*ECONNREFUSED/)
  for (const trace of [user.id, user.email, canary.name]) expect(lines.join('')).not.toContain(trace)
})

it.each<[string, (socket: Socket) => void]>([
  ['disconnects immediately', (socket) => socket.destroy()],
  ['hangs up in the middle', (socket) => socket.once('data', () => socket.destroy())],
  ['ends in the middle', (socket) => socket.once('data', () => socket.end('stream: OK'))],
  ['reads all and sends no reply', (socket) => socket.resume().on('data', (data) => data.at(-1) === 0 && socket.end())],
  ['does not know the command', (socket) => socket.end('UNKNOWN COMMAND\0')],
  ['has an error', (socket) => socket.end('stream: Can’t allocate memory ERROR\0')],
  ['talks without end', (socket) => socket.end('stream: '.padEnd(20_000, 'x'))],
  ['is a web server', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
])('a clamd that %s lets nothing through', async (_what, onConnection) => {
  const clamd = await startTcpServer(onConnection)
  onTestFinished(clamd.close)
  const broken = await openTestAppOn(test, { CLAMAV_URL: `tcp://127.0.0.1:${clamd.port}` })
  const user = await createUser(test)
  expectRefusal(await upload(broken, user, [...goodFields, file(pdfOfBytes(300_000))]), 'scanner_away')
  await expectNothingKept(broken, user.id)
})

it('an upload that waits ends when its student leaves', async () => {
  const waiting = await openTestAppOn(test, { CLAMAV_URL, CLAMAV_WHEN_UNAVAILABLE: 'wait' }, log)
  const { port } = new URL(await waiting.app.listen({ port: 0, host: '127.0.0.1' }))
  const user = await createUser(test)
  const { payload, headers } = makeForm([...goodFields, file()])
  const options = { port, method: 'POST', path: '/api/notes', headers: { ...headers, ...user.auth } }
  const request: ClientRequest = httpRequest(options).on('error', () => {})
  request.end(payload)
  await expect.poll(() => lines.join('')).toContain('An upload is waiting: clamd isn’t responding')
  request.destroy()
  await expectNothingKept(waiting, user.id)
})

it('an upload has waited long enough at some time', async () => {
  const { config, telemetry } = test.deps
  if (!config.clamav) throw new Error('There is no clamd')
  const scanner = createScanner({ ...config.clamav, whenUnavailable: 'wait', log, telemetry, maxWaitMs: 1 })
  const path = join(config.dataDir, 'a file')
  await writeFile(path, 'notes')
  const away = { code: 'scanner_away', retryAfterSeconds: 30 }
  await expect(scanner.scan(path, new AbortController().signal)).rejects.toMatchObject(away)
})

it('metrics and the doctor inform the operator', async () => {
  const metrics = await serveMetrics(test.deps, 0)
  const text = await (await fetch(`${metrics.address}/metrics`)).text()
  await metrics.close()
  expect(text).toContain('lectern_ready{part="scanner"} 0')
  expect(await checkAntivirus(test.deps.config)).toEqual([
    { kind: 'failure', text: expect.stringMatching(/^Uploads fail: .*ECONNREFUSED.*Check that clamd is running/) },
  ])
})
