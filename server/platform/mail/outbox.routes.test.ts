import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { quietLog } from '../../testing/log.ts'
import { verificationMail } from './emails.ts'
import { createOutbox, mayShowOutbox, type Outbox, outboxRoutes } from './outbox.ts'
import { renderMail } from './render-mail.ts'

const publicLectern = await openTestApp({ PUBLIC_URL: 'https://notes.example.org' })
const render = (name: string, token: string) =>
  renderMail(
    { to: { email: `${name.toLowerCase()}@example.org`, name }, ...verificationMail(token) },
    'https://notes.example.org',
  )
const mail = render('Ana', `a${'secret'.repeat(7)}`)

let outbox: Outbox
let app: FastifyInstance

beforeEach(async () => {
  outbox = createOutbox({ dir: await makeTestFolder(), from: 'Lectern <lectern@localhost>', log: quietLog })
  app = Fastify()
  await app.register(outboxRoutes, { outbox })
})
afterEach(() => app.close())

const sendMail = async () => {
  await outbox.send(mail)
  const [, address = ''] = /<a href="(\/dev[^"]*)"/.exec((await get()).body) ?? []
  return address
}

const get = (headers: Record<string, string> = {}) => app.inject({ url: '/dev/outbox', headers })
function expectHidden({ statusCode, body }: { statusCode: number; body: string }, status = 404) {
  expect(statusCode).toBe(status)
  expect(body).not.toContain('secret')
}

test('an empty outbox shows a message', async () => {
  const answer = await get()
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.body).toContain('No emails yet.')
})

test('mails are shown with recipient, subject, time and a link to follow', async () => {
  await outbox.send(mail)
  const { body } = await get()
  expect(body).toContain('<h2>Verify your email for Lectern</h2>')
  expect(body).toContain('To ana@example.org')
  expect(body).toMatch(/<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">/)
  expect(body).toContain('Hello Ana,')
  expect([...body.matchAll(/<a href="(http[^"]*)"/g)].map(([, target]) => target)).toEqual([mail.link])
})

test('the mails to one address are shown alone', async () => {
  for (const name of ['ana', 'diana', 'ana+notes']) await outbox.send(render(name, 'a'.repeat(43)))
  const shown = async (to: string) => {
    const { body } = await app.inject({ url: '/dev/outbox', query: { to } })
    return [...body.matchAll(/To ([^ ]+)/g)].map(([, address]) => address)
  }
  expect(await shown('ana@example.org')).toEqual(['ana@example.org'])
  expect(await shown('Ana+Notes@example.org')).toEqual(['ana+notes@example.org'])
  expect(await shown('nobody@example.org')).toEqual([])
})

test('nothing in a mail becomes markup, script or another kind of link', async () => {
  await outbox.send({
    to: "o'brien&co@example.org",
    subject: '</h2><script>alert(1)</script>"\'&amp;',
    text: [
      '<img src=x onerror=alert(1)>',
      'javascript:alert(1) data:text/html,<script>alert(2)</script>',
      'http://evil.example/"onmouseover="alert(3)',
      "https://evil.example/'><svg onload=alert(4)>",
      '</pre></article></main></style>',
    ].join('\n'),
    html: '<script>alert(5)</script>',
  })
  const { body } = await get()
  expect(body).toContain('&lt;/h2&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;')
  expect(body).toContain('o&#39;brien&amp;co@example.org')
  const tags = [...body.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)]
  const allowed = ['html', 'meta', 'title', 'style', 'h1', 'h2', 'p', 'article', 'pre', 'time', 'a']
  expect(tags.map(([, tag]) => tag).filter((tag) => !allowed.includes(tag ?? ''))).toEqual([])
  expect(tags.filter(([, tag]) => tag === 'a').map(([, , attributes]) => attributes)).toEqual([
    expect.stringMatching(/^ href="\/dev\/outbox\/[a-z0-9._@TZ-]+"$/),
    '',
    ' href="http://evil.example/" rel="noreferrer"',
    '',
    ' href="https://evil.example/" rel="noreferrer"',
    '',
  ])
  expect(body.match(/<\/pre>/g)).toHaveLength(1)
})

test('the HTML version of a mail is a download', async () => {
  const { body, headers } = await app.inject({ url: await sendMail() })
  expect(body.trim().replaceAll('\r\n', '\n')).toBe(mail.html.trim())
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': 'attachment; filename="email.html"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

const noMails = ['', 'unknown', '..%2F..%2Fsecret', '2026-11-21T09-30-00-000Z-ana@example.org-abcdef']
test.each(noMails)('there is no mail at /dev/outbox/%s', async (id) => {
  expect((await app.inject({ url: `/dev/outbox/${id}` })).statusCode).toBe(404)
})

test('a single mail is not shown to other machines either', async () => {
  const url = await sendMail()
  expectHidden(await app.inject({ url, remoteAddress: '203.0.113.9' }))
  expectHidden(await app.inject({ url, headers: { host: 'evil.example' } }), 403)
})

test('no other site can frame, load, cache or script the page', async () => {
  const { headers, body } = await get()
  expect(headers).toMatchObject({
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(body).not.toContain('<script')
  expect(body).not.toContain(' style=')
})

test('it is shown to this machine at its addresses, and at no name that another site may have made lead here', async () => {
  await outbox.send(mail)
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.7'])
    expect((await get({ host })).statusCode, host).toBe(200)
  for (const host of ['evil.example', 'notes.example.org', 'localhost.evil.example', '127.0.0.1.evil.example'])
    expectHidden(await get({ host }), 403)
  for (const remoteAddress of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    expect((await app.inject({ url: '/dev/outbox', remoteAddress })).statusCode, remoteAddress).toBe(200)
})

const outside = ['192.168.1.7', '203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', 'fe80::1', '128.0.0.1', '0.0.0.0']

test.each(outside)('it is not shown to %s, whatever Host it asks for', async (peer) => {
  await outbox.send(mail)
  for (const host of ['localhost', '127.0.0.1', 'notes.example.org'])
    expectHidden(await app.inject({ url: '/dev/outbox', remoteAddress: peer, headers: { host } }))
})

test.each([
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-for', '127.0.0.1'],
  ['forwarded', 'for=203.0.113.9'],
  ['x-real-ip', '203.0.113.9'],
  ['via', '1.1 proxy'],
])('it is not shown to what a proxy on the machine passes on with %s: %s', async (name, value) => {
  await outbox.send(mail)
  expectHidden(await get({ host: 'localhost', [name]: value }))
})

test('a trusted proxy cannot make a peer elsewhere the machine itself', async () => {
  const behindProxy = Fastify({ trustProxy: '203.0.113.9' })
  await behindProxy.register(outboxRoutes, { outbox })
  await outbox.send(mail)
  const headers = { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }
  expectHidden(await behindProxy.inject({ url: '/dev/outbox', remoteAddress: '203.0.113.9', headers }))
  await behindProxy.close()
})

const ownAddresses = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']
const others = ['https://notes.example.org', 'http://192.168.1.7:3000', 'https://localhost.example.org']

test.each([...ownAddresses, ...others])('it may be shown at addresses of this machine alone: %s', (publicUrl) => {
  expect(mayShowOutbox(publicUrl)).toBe(ownAddresses.includes(publicUrl))
})

test('where Lectern has a public address, it is not shown even through a proxy that adds no headers', async () => {
  await publicLectern.deps.mailer.send(mail)
  expectHidden(await publicLectern.app.inject({ url: '/dev/outbox', headers: { host: '127.0.0.1:3000' } }))
})
