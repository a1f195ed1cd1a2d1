import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { quietLog } from '../../testing/log.ts'
import { startSmtpServer, startTcpServer } from '../../testing/smtp-server.ts'
import { wasNotTaken } from './deliver.ts'
import { createSmtpMailer } from './smtp.ts'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanUp.splice(0).reverse()) await close()
})

/** The awaited timeout is short and all others are long, so that speed does not decide which comes first. */
const patient = { connection: 60_000, greeting: 60_000, socket: 60_000, whole: 60_000 }
type Awaited = Partial<typeof patient>

/** Returns the error of a failed mail. */
async function failureOf(url: string, awaited: Awaited = {}): Promise<unknown> {
  const timeoutsMs = { ...patient, ...awaited }
  const mailer = createSmtpMailer({ url, from: 'lectern@notes.example', log: quietLog, timeoutsMs })
  cleanUp.push(mailer.close)
  return mailer.send({ to: 'ana@example.org', subject: 's', text: 't', html: '<p>t</p>' }).then(
    () => expect.unreachable('The mail was taken'),
    (error: unknown) => error,
  )
}

/** A mail server that sends these answers, each to its command, and is silent after them. */
async function serverThatAnswers(...answers: [to: string, answer: string][]): Promise<string> {
  const server = await startTcpServer((socket) => {
    const left = [...answers]
    const answer = (text: string) => {
      const [to, reply] = left[0] ?? []
      if (to === undefined || !text.startsWith(to)) return
      left.shift()
      socket.write(`${reply}\r\n`)
    }
    answer('')
    socket.on('data', (chunk) => answer(chunk.toString()))
  })
  cleanUp.push(server.close)
  return `smtp://127.0.0.1:${server.port}`
}

const greeting: [string, string] = ['', '220 hello']

/** Listens without accepting: while two connections wait, further ones get no answer. */
async function serverThatTakesNobodyIn(): Promise<string> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
     })`,
    { eval: true },
  )
  cleanUp.push(() => worker.terminate())
  const [port] = await once(worker, 'message')
  const waiting: Socket[] = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  cleanUp.push(() => waiting.forEach((socket) => void socket.destroy()))
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
  return `smtp://127.0.0.1:${port}`
}

test.each([
  ['has no address', async () => 'smtp://mail.nowhere.invalid', 'EDNS'],
  [
    'listens no more',
    async () => {
      const server = await startTcpServer(() => {})
      await server.close()
      return `smtp://127.0.0.1:${server.port}`
    },
    'ECONNREFUSED',
  ],
  ['never greets', () => serverThatAnswers(), 'GREETING_TIMEOUT', { greeting: 500 }],
  [
    'does not change to TLS as it has to',
    async () => `${await serverThatAnswers(greeting, ['EHLO', '250 fine'], ['STARTTLS', '502 no'])}?requireTLS=true`,
    'ETLS',
  ],
  [
    'falls silent while it changes to TLS',
    () => serverThatAnswers(greeting, ['EHLO', '250-fine\r\n250 STARTTLS'], ['STARTTLS', '220 go on']),
    'UPGRADE_TIMEOUT',
    { greeting: 2_000 },
  ],
  [
    'refuses the recipient',
    async () => {
      const responseCode = 550
      const server = await startSmtpServer({
        onRcptTo: (_a, _s, done) => done(Object.assign(new Error(), { responseCode })),
      })
      cleanUp.push(server.close)
      return `smtp://127.0.0.1:${server.port}`
    },
    'EENVELOPE',
  ],
] as [string, () => Promise<string>, string, Awaited?][])(
  'a mail was not taken by a server that %s',
  async (_what, open, kind, awaited) => {
    const failure = await failureOf(await open(), awaited)
    expect(failure).toSatisfy(isOf(kind))
    expect(wasNotTaken(failure)).toBe(true)
  },
)

// Other systems let more connections wait than the backlog allows.
test.runIf(process.platform === 'linux')(
  'a mail was not taken by a server that cannot be reached in time',
  async () => {
    const failure = await failureOf(await serverThatTakesNobodyIn(), { connection: 500 })
    expect(failure).toSatisfy(isOf('CONNECT_TIMEOUT'))
    expect(wasNotTaken(failure)).toBe(true)
  },
)

const untilText = [greeting, ['EHLO', '250 fine'], ['MAIL', '250 fine'], ['RCPT', '250 fine']] as [string, string][]

test.each([
  ['before its text', untilText],
  ['after its text', [...untilText, ['DATA', '354 go on'] as [string, string]]],
])('nobody knows of a mail whose server falls silent %s', async (_what, answers) => {
  const failure = await failureOf(await serverThatAnswers(...answers), { socket: 1_000 })
  expect(failure).toSatisfy(isOf('SOCKET_TIMEOUT'))
  expect(wasNotTaken(failure)).toBe(false)
})

test('nobody knows of what failed for another reason', () => {
  expect(wasNotTaken(new Error('The mail server took longer than 35 s'))).toBe(false)
  expect(wasNotTaken('ECONNREFUSED')).toBe(false)
})

const isOf = (kind: string) => (failure: unknown) => {
  const { code, originalCode, timeoutType } = failure as Record<string, unknown>
  return [code, originalCode, timeoutType].includes(kind)
}
