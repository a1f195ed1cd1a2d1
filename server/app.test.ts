import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openTestApp } from './testing/app.ts'
import { expectRefusal } from './testing/refusal.ts'

const test = await openTestApp()
const unreadable = ['/%zz', '/api/notes/%E0%A4%A/view', `/api/notes/${'a'.repeat(300)}/view`]
it.each(unreadable)('refuses the unreadable address %s', async (url) => {
  const response = await test.app.inject({ url })
  expectRefusal(response, 'malformed_request')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
})

it.each(['/courses/%E0%A4%A', '/%zz'])('shows a browser that there is nothing at %s', async (url) => {
  const ask = (accept: string, asked = url) => test.app.inject({ url: asked, headers: { accept } })
  const response = await ask('text/html,*/*')
  expect([response.statusCode, response.headers.location]).toEqual([302, '/not-found'])
  expectRefusal(await ask('application/json'), 'malformed_request')
  expectRefusal(await ask('text/html,*/*', `/api${url}`), 'malformed_request')
})

it.each([
  ['GET', '/api/users/login'],
  ['PUT', '/api/users/login'],
  ['POST', '/api/users/nothing'],
  ['DELETE', '/api/users/me'],
] as const)('answers %s %s with 404 in the one form', async (method, url) => {
  expectRefusal(await test.app.inject({ method, url }), 'not_found')
})

it.each(['application/json', 'text/html'])('sends the security headers as %s for a bad address', async (accept) => {
  const { headers } = await test.app.inject({ url: '/%zz', headers: { accept } })
  const elsewhere = await test.app.inject({ url: '/api/nothing', headers: { accept } })
  for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy'])
    expect([name, headers[name]]).toEqual([name, elsewhere.headers[name]])
})

const port = Number(new URL(await test.app.listen({ port: 0, host: '127.0.0.1' })).port)

/** Returns all data until the server closes the connection. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {}).on('close', () => resolve(received))
  })
}

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
/** The request that an attacker hides behind a request with an ambiguous end. */
const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const post = (...headers: string[]) =>
  `${['POST /api/users/login HTTP/1.1', 'Host: x', ...headers].join('\r\n')}\r\n\r\n`

describe('a request whose end is in doubt is refused, and so is what follows it', () => {
  it('takes one that is in order, or this file proves nothing', async () => {
    const received = await sendRaw(`${smuggled}${smuggled.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`)
    expect(statuses(received)).toEqual([200, 200])
  })

  it.each([
    ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['two lengths', `${post('Content-Length: 5', 'Content-Length: 6')}aaaaaa`],
    ['two lengths in one', `${post('Content-Length: 5, 6')}aaaaaa`],
    ['a length with a sign', `${post('Content-Length: +5')}aaaaa`],
    ['chunks and something else', `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n`],
    ['chunks under a misspelt name', `${post('Transfer-Encoding : chunked')}0\r\n\r\n`],
    ['a chunk without a length', `${post('Transfer-Encoding: chunked')}zz\r\n\r\n`],
    ['lines that end with a line feed alone', post('Content-Length: 0').replaceAll('\r\n', '\n')],
    ['a header folded over two lines', post('X-A: b', ' Content-Length: 40')],
    ['a NUL in a header', post('X-A: b\0c')],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['64 kB of headers', post(`X-A: ${'a'.repeat(65_536)}`)],
  ])('%s (E24)', async (_what, request) => {
    const answers = statuses(await sendRaw(request + smuggled))
    expect(answers).toHaveLength(1)
    expect([400, 431]).toContain(answers[0])
  })
})

it.each(['TRACE', 'CONNECT', 'TRACK'])('%s is no method here', async (method) => {
  const target = method === 'CONNECT' ? 'x:443' : '/'
  const received = await sendRaw(
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nX-Secret: told\r\nConnection: close\r\n\r\n`,
  )
  expect(received).not.toContain('told')
  expect(statuses(received).every((status) => status >= 400 && status < 500)).toBe(true)
})

const hiddenPaths = ['/.git/config', '/.env', '/package.json', '/assets/', '/data/secret', '/server/main.ts']
it.each(hiddenPaths)('nothing of the repository or its folders is served at %s', async (url) => {
  const response = await test.app.inject(url)
  expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
})
