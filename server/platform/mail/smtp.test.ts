import { Resolver } from 'node:dns'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import { expect, onTestFinished, test, vi } from 'vitest'
import { quietLog } from '../../testing/log.ts'
import { startSmtpServer, startTcpServer } from '../../testing/smtp-server.ts'
import { findFreePort } from '../embedded-postgres/free-port.ts'
import { wasNotTaken } from './deliver.ts'
import { createSmtpMailer, type Mail, type Mailer, type SmtpOptions } from './mailer.ts'

async function openServer(...args: Parameters<typeof startSmtpServer>) {
  const server = await startSmtpServer(...args)
  onTestFinished(server.close)
  return server
}

async function openTcpServer(...args: Parameters<typeof startTcpServer>) {
  const server = await startTcpServer(...args)
  onTestFinished(server.close)
  return server
}

function openMailer(port: number, options: Partial<SmtpOptions> = {}): Mailer {
  const usual = { url: `smtp://127.0.0.1:${port}`, from: 'Lectern <lectern@notes.example>', log: quietLog }
  const mailer = createSmtpMailer({ ...usual, ...options })
  onTestFinished(mailer.close)
  return mailer
}

const mail: Mail = {
  to: 'ana@example.org',
  subject: 'Grüße from Lectern',
  text: 'Hello Ana,\n\nhttp://localhost:3000/verify?token=abc\n',
  html: '<p>Hello Ana</p>',
}

/** Returns the header lines before the first blank line, with folded lines joined. */
function readHeaders(content: string): string[] {
  const head = content.slice(0, content.indexOf('\r\n\r\n'))
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}

test('a mail arrives whole, at one recipient', async () => {
  const server = await openServer()
  await openMailer(server.port).send({ ...mail, messageId: '0190a8f2-job' })
  expect(server.received).toHaveLength(1)
  const { from, recipients, content = '' } = server.received[0] ?? {}
  expect({ from, recipients }).toEqual({ from: 'lectern@notes.example', recipients: ['ana@example.org'] })
  const parsed = await PostalMime.parse(content)
  expect(parsed).toMatchObject({
    from: { name: 'Lectern', address: 'lectern@notes.example' },
    to: [{ address: 'ana@example.org' }],
    subject: mail.subject,
    messageId: '<0190a8f2-job@notes.example>',
  })
  expect(parsed.text?.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim())
  expect(parsed.html?.trim()).toBe(mail.html)
  expect(readHeaders(content)).toContain('Auto-Submitted: auto-generated')
})

test('connections are kept and shared: twelve simultaneous mails, at most four connections', async () => {
  const server = await openServer()
  const mailer = openMailer(server.port)
  const students = Array.from({ length: 12 }, (_, number) => `student${number}@example.org`)
  await Promise.all(students.map((to) => mailer.send({ ...mail, to })))
  expect(server.received.flatMap(({ recipients }) => recipients).sort()).toEqual(students.sort())
  expect(server.countConnections()).toBeLessThanOrEqual(4)
})

test.each([
  ['a list without blank', 'ana@example.org,eve@evil.example'],
  ['a list with a semicolon', 'ana@example.org;eve@evil.example'],
  ['a line break and a header', 'ana@example.org\r\nBcc: eve@evil.example'],
  ['a bare line feed', 'ana@example.org\nSubject: spoofed'],
  ['two in a row', 'ana@example.org eve@evil.example'],
  ['two in brackets', '<eve@evil.example>ana@example.org'],
  ['a quoted list', '"eve@evil.example, x"@example.org'],
  ['a quote', '"ana"@example.org'],
  ['a comment', 'ana(eve@evil.example)@example.org'],
  ['a NUL', 'ana@example.org\u0000'],
  ['an address literal', 'ana@[127.0.0.1]'],
  ['a bidi override', 'ana\u202e@example.org'],
  ['no domain', 'ana'],
  ['nothing', ''],
  ['10 kB', `${'a'.repeat(10_000)}@example.org`],
])('%s in the place of the recipient is refused before anything is sent', async (_case, to) => {
  const server = await openServer()
  await expect(openMailer(server.port).send({ ...mail, to })).rejects.toThrow('a single plain email address')
  expect(server.countConnections()).toBe(0)
})

test('line breaks in subject, text or message id add no header and no recipient', async () => {
  const server = await openServer()
  const mailer = openMailer(server.port)
  await mailer.send({
    ...mail,
    subject: 'Hello\r\nBcc: eve@evil.example\r\nSubject: spoofed\r\n\r\nbody',
    text: 'first\r\n.\r\nRCPT TO:<eve@evil.example>\r\nlast',
  })
  await expect(mailer.send({ ...mail, messageId: 'x>\r\nBcc: eve@evil.example' })).rejects.toThrow('invalid characters')
  expect(server.received).toHaveLength(1)
  const { recipients, content = '' } = server.received[0] ?? {}
  expect(recipients).toEqual(['ana@example.org'])
  const names = readHeaders(content).map((line) => line.slice(0, line.indexOf(':')).toLowerCase())
  expect(names.filter((name) => name === 'subject')).toHaveLength(1)
  expect(names).not.toContain('bcc')
  const { text } = await PostalMime.parse(content)
  expect(text?.replaceAll('\r\n', '\n').trim()).toBe('first\n.\nRCPT TO:<eve@evil.example>\nlast')
})

const refuse = (responseCode: number) => Object.assign(new Error('refused by the test'), { responseCode })

/** The awaited timeout is short and all others are long, so that speed does not decide which comes first. */
const patient = { connection: 60_000, greeting: 60_000, socket: 60_000, whole: 60_000 }
const drip =
  (line: string, first = '') =>
  (socket: Socket) => {
    socket.write(first)
    const timer = setInterval(() => socket.write(line), 50)
    socket.on('close', () => clearInterval(timer))
  }

test.each<[string, Parameters<typeof startTcpServer>[0], RegExp, Partial<typeof patient>?]>([
  ['never greets', () => {}, /Greeting never received/, { greeting: 400 }],
  ['disconnects immediately', (socket) => socket.end(), /./],
  ['answers nonsense', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), /./],
  ['greets one line at a time, for ever', drip('220-please hold the line\r\n'), /./, { greeting: 400, whole: 1_500 }],
  ['greets and then drips', drip('250-wait\r\n', '220 hello\r\n'), /took longer than 0.5 s/, { whole: 500 }],
])('a server that %s is given up on, and its connection closed', async (_case, onConnection, message, timeoutsMs) => {
  const server = await openTcpServer(onConnection)
  const sent = openMailer(server.port, { timeoutsMs: { ...patient, ...timeoutsMs } }).send(mail)
  await expect(sent).rejects.toThrow(message)
  await expect.poll(() => server.countOpen()).toBe(0)
})

test('one server that stalls delays only its own mail', async () => {
  const server = await openServer({
    onRcptTo: (address, _session, done) => {
      if (address.address !== 'stalled@example.org') done()
    },
  })
  const mailer = openMailer(server.port, { timeoutsMs: { socket: 60_000, whole: 2_000 } })
  const stalled = expect(mailer.send({ ...mail, to: 'stalled@example.org' })).rejects.toThrow()
  for (let number = 0; number < 5; number++) await mailer.send(mail)
  expect(server.received).toHaveLength(5)
  await stalled
})

test('a server that was restarted gets the next mail, over a new connection', async () => {
  const first = await startSmtpServer()
  const mailer = openMailer(first.port)
  await mailer.send(mail)
  await first.close()
  await expect(mailer.send(mail)).rejects.toThrow()
  const second = await openServer({}, first.port)
  await mailer.send(mail)
  expect(second.received).toHaveLength(1)
})

test('closing interrupts mails in progress', async () => {
  const server = await openTcpServer(() => {})
  const mailer = openMailer(server.port)
  const outcome = expect(mailer.send(mail)).rejects.toThrow()
  await expect.poll(() => server.countOpen()).toBe(1)
  await mailer.close()
  await outcome
})

test('a password is not sent unencrypted over the network, unless the address allows it', async () => {
  const logins: (string | undefined)[] = []
  const server = await openServer({
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, done) => {
      logins.push(username)
      done(null, { user: username })
    },
  })
  // 0.0.0.0 reaches this machine but is no loopback address, so it represents any other host.
  const mailer = (text: string) => openMailer(server.port, { url: text })
  await expect(mailer(`smtp://user:secret@0.0.0.0:${server.port}`).send(mail)).rejects.toThrow(/TLS/)
  expect(logins).toEqual([])
  await mailer(`smtp://user:secret@0.0.0.0:${server.port}?requireTLS=false`).send(mail)
  await mailer(`smtp://user:secret@127.0.0.1:${server.port}`).send(mail)
  expect(logins).toEqual(['user', 'user'])
})

test('a certificate has to be good, but for that of a mail server on this machine', async () => {
  // The server offers TLS with a self-signed certificate.
  const server = await openServer({ disabledCommands: [] })
  const send = (host: string, query = '') =>
    openMailer(server.port, { url: `smtp://${host}:${server.port}${query}` }).send(mail)
  await expect(send('0.0.0.0')).rejects.toThrow(/certificate/)
  await expect(send('127.0.0.1', '?tls.rejectUnauthorized=true')).rejects.toThrow(/certificate/)
  expect(server.received).toEqual([])
  await send('127.0.0.1')
  expect(server.received).toHaveLength(1)
})

test('localhost is this machine, whatever the DNS may say', async () => {
  const server = await openServer({ disabledCommands: [] })
  const asked = [vi.spyOn(Resolver.prototype, 'resolve4'), vi.spyOn(Resolver.prototype, 'resolve6')]
  await openMailer(server.port, { url: `smtp://localhost:${server.port}` }).send(mail)
  expect(server.received).toHaveLength(1)
  for (const questions of asked) expect(questions).not.toHaveBeenCalled()
})

/** Expects that a mail to this server fails in this way. */
async function expectFailure(port: number, kind: string, isKnown: boolean, given: Partial<SmtpOptions> = {}) {
  const options = { ...given, timeoutsMs: { ...patient, ...given.timeoutsMs } }
  const sending = openMailer(port, options).send(mail)
  const failure = await sending.catch((error) => error)
  expect([failure.code, failure.originalCode, failure.timeoutType]).toContain(kind)
  expect(wasNotTaken(failure)).toBe(isKnown)
}

type Answers = [to: string, answer: string][]

/** A mail server that sends these answers, each to its command, and is silent after them. */
async function serverThatAnswers(...answers: Answers): Promise<number> {
  const { port } = await openTcpServer((socket) => {
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
  return port
}

/** Listens without accepting: while two connections wait, further ones get no answer. */
async function serverThatTakesNobodyIn(): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port)
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
     })`,
    { eval: true },
  )
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = await once(worker, 'message')
  const waiting: Socket[] = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  onTestFinished(() => waiting.forEach((socket) => void socket.destroy()))
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
  return port
}

const greeting: Answers[0] = ['', '220 hello']
const brief = { timeoutsMs: { greeting: 2_000 } }
const silent = { timeoutsMs: { socket: 1_000 } }
const untilTls: Answers = [greeting, ['EHLO', '250-fine\r\n250 STARTTLS'], ['STARTTLS', '220 go on']]
const untilText: Answers = [greeting, ['EHLO', '250 fine'], ['MAIL', '250 fine'], ['RCPT', '250 fine']]
const data: Answers[0] = ['DATA', '354 go on']
const refuseRecipient = async () => (await openServer({ onRcptTo: (_a, _s, done) => done(refuse(550)) })).port

test.each<[what: string, open: () => Promise<number>, kind: string, isKnown: boolean, given?: Partial<SmtpOptions>]>([
  ['has no address', async () => 0, 'EDNS', true, { url: 'smtp://mail.nowhere.invalid' }],
  ['listens no more', () => findFreePort('127.0.0.1'), 'ECONNREFUSED', true],
  ['never greets', () => serverThatAnswers(), 'GREETING_TIMEOUT', true, brief],
  ['falls silent while it changes to TLS', () => serverThatAnswers(...untilTls), 'UPGRADE_TIMEOUT', true, brief],
  ['refuses the recipient', refuseRecipient, 'EENVELOPE', true],
  ['falls silent before the text', () => serverThatAnswers(...untilText), 'SOCKET_TIMEOUT', false, silent],
  ['falls silent after the text', () => serverThatAnswers(...untilText, data), 'SOCKET_TIMEOUT', false, silent],
])('a mail to a server that %s fails, and may be sent again only if it was not taken', async (_what, open, ...how) => {
  await expectFailure(await open(), ...how)
})

test('a mail was not taken by a server that does not change to TLS as it has to', async () => {
  const port = await serverThatAnswers(greeting, ['EHLO', '250 fine'], ['STARTTLS', '502 no'])
  await expectFailure(port, 'ETLS', true, { url: `smtp://127.0.0.1:${port}?requireTLS=true` })
})

// Other systems let more connections wait than the backlog allows.
test.runIf(process.platform === 'linux')('a mail was not taken by a server that is not reached in time', async () => {
  const timeoutsMs = { connection: 500 }
  await expectFailure(await serverThatTakesNobodyIn(), 'CONNECT_TIMEOUT', true, { timeoutsMs })
})

test('the outcome is unknown after any other error', () => {
  expect(wasNotTaken(new Error('The mail server took longer than 35 s'))).toBe(false)
  expect(wasNotTaken('ECONNREFUSED')).toBe(false)
})
