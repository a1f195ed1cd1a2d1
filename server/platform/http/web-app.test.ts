import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import pg from 'pg'
import { afterAll, expect, it, vi } from 'vitest'
import { openTestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { expectStatus } from '../../testing/refusal.ts'
import { setSecurityHeaders } from './requests.ts'
import { registerWebApp } from './web-app.ts'

const folder = await makeTestFolder()
await mkdir(join(folder, 'assets'))
const links = '[{&#34;name&#34;:&#34;Terms &#38; more&#34;,&#34;address&#34;:&#34;https://a.example&#34;}]'
const pageWith = (tags: Record<string, string>, operatorLinks = links) =>
  `<!doctype html>${Object.entries(tags).map(([name, content]) => `<meta property="og:${name}" content="${content}" />`)}` +
  `<meta name="operator-links" content="${operatorLinks}" />`
const tags = { type: 'website', site_name: 'Lectern', title: 'Study notes', description: 'Share them' }
await writeFile(join(folder, 'index.html'), pageWith({ ...tags, image: '/og.png' }, ''))
await writeFile(join(folder, 'landing.html'), `${pageWith(tags, '')}Study notes, shared.`)
const image = 'https://notes.example/og.png'
const page = pageWith({ ...tags, image })
await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
await writeFile(join(folder, 'assets', 'main-abc123.js'), 'let plain')
await writeFile(join(folder, 'assets', 'main-abc123.js.br'), 'br')

const [built, unbuilt] = [Fastify(), Fastify()]
const operatorLinks = [{ name: 'Terms & more', address: 'https://a.example' }]
const site = { publicUrl: 'https://notes.example', operatorName: null, operatorLinks, operatorPicture: null }
await registerWebApp(built as never, site, folder)
await registerWebApp(unbuilt as never, site, join(folder, 'missing'))
afterAll(() => Promise.all([built.close(), unbuilt.close()]))

type Method = 'GET' | 'HEAD' | 'POST'
const open = (url: string, accept = 'text/html,*/*', method: Method = 'GET', more = {}) =>
  built.inject({ method, url, headers: { accept, ...more } })

const paths = ['/browse', '/verify?token=abc', '/reset-password', '/no/such/page', '/apiary', '/a.b', '/dev/nothing']
it.each(paths)('the built pages open at %s', async (url) => {
  for (const method of ['GET', 'HEAD'] as const) {
    const { headers, body } = await expectStatus(200, open(url, undefined, method))
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    expect(body).toBe(method === 'GET' ? page : '')
  }
})

it('the built pages contain the landing page at its own address only', async () => {
  expect((await open('/')).body).toBe(`${pageWith(tags)}Study notes, shared.`)
  expect((await open('/landing.html')).body).toBe(page)
})

it('the built pages keep files with a hash in their names for ever, and ask again for the others', async () => {
  const script = await open('/assets/main-abc123.js', '*/*')
  expect([script.body, script.headers['cache-control']]).toEqual(['let plain', 'public, max-age=31536000, immutable'])
  const icon = await open('/favicon.svg', 'image/svg+xml')
  expect([icon.statusCode, icon.headers['cache-control']]).toEqual([200, 'no-cache'])
})

it('the built pages come compressed to who understands that', async () => {
  const response = await open('/assets/main-abc123.js', '*/*', 'GET', { 'accept-encoding': 'br' })
  expect([response.body, response.headers['content-encoding']]).toEqual(['br', 'br'])
  expect(response.headers.vary).toMatch(/accept-encoding/i)
  expect(response.headers['content-type']).toMatch(/javascript/)
})

it.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('the built pages are compressed with %s themselves, and not sent twice', async (encoding, decompress) => {
  const response = await open('/browse', undefined, 'GET', { 'accept-encoding': `${encoding}, deflate` })
  expect(response.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
  expect(decompress(response.rawPayload).toString()).toBe(page)
  const again = await open('/browse', undefined, 'GET', { 'if-none-match': String(response.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

it.each([
  [
    { operatorName: null, operatorPicture: null },
    { site_name: 'Lectern', description: 'Log in to read it.' },
  ],
  [
    { operatorName: '"M&S"', operatorPicture: 'https://m.example/s.jpg' },
    {
      site_name: '&#34;M&#38;S&#34;',
      description: 'Shared at &#34;M&#38;S&#34;. Log in to read it.',
      image: 'https://m.example/s.jpg',
    },
  ],
])(
  'the built pages preview every note alike in chats, and all with the picture of %j',
  async (operator, operatorTags) => {
    const app = Fastify()
    await registerWebApp(app as never, { ...site, ...operator }, folder)
    for (const path of [`/notes/${crypto.randomUUID()}`, '/notes/nonsense?page=2&find=words']) {
      const { statusCode, body } = await app.inject({ url: path, headers: { accept: '*/*' } })
      expect([statusCode, body]).toEqual([
        200,
        pageWith({ ...tags, title: 'A note on Lectern', image, ...operatorTags }),
      ])
    }
    const { body } = await app.inject({ url: '/browse', headers: { accept: 'text/html' } })
    expect(body).toContain(`"og:image" content="${operator.operatorPicture ?? image}"`)
    await app.close()
  },
)

it('the built pages run the script in their HTML, and no other response allows one', async () => {
  const app = Fastify()
  app.addHook('onRequest', setSecurityHeaders({ publicUrl: site.publicUrl, hstsSubdomains: false }))
  const withScript = await makeTestFolder()
  await mkdir(join(withScript, 'assets'))
  for (const name of ['index.html', 'landing.html']) await writeFile(join(withScript, name), '<script>let a</script>')
  await registerWebApp(app as never, site, withScript)
  const scriptsAt = async (url: string) => {
    const { headers } = await app.inject({ url, headers: { accept: 'text/html' } })
    return /script-src [^;]*/.exec(String(headers['content-security-policy']))?.[0]
  }
  // From `printf 'let a' | openssl dgst -sha256 -binary | base64`.
  const allowed = "script-src 'self' 'sha256-IfEXP/8HLuXoAiy0hZVrCAcjcLsZqYFpLOHDGj8enqE='"
  for (const page of ['/', '/browse', '/index.html', '/notes/any']) expect(await scriptsAt(page)).toBe(allowed)
  for (const other of ['/api/nothing', '/assets/gone.js']) expect(await scriptsAt(other)).toBe("script-src 'self'")
  await app.close()
})

it.each([
  ['GET', '/api/nothing', 'text/html'],
  ['GET', '/assets/gone-def456.js', 'text/html'],
  ['GET', '/browse', 'application/json'],
  ['POST', '/browse', 'text/html'],
  ['GET', '/%2e%2e/%2e%2e/package.json', '*/*'],
  ['GET', '/assets/..%2f..%2fpackage.json', 'text/html'],
] as const)('the built pages are not what %s %s as %s is answered with', async (method, url, accept) => {
  const response = await expectStatus(404, open(url, accept, method))
  expect(response.json()).toEqual({ message: 'Not found.', code: 'not_found' })
})

it('the built pages may be missing: the API is served without them', async () => {
  const response = await unbuilt.inject({ url: '/', headers: { accept: 'text/html' } })
  expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
})

it('the built pages cause no SQL, nor does a request for an asset that does not exist', async () => {
  const { app } = await openTestApp()
  const connect = vi.spyOn(pg.Pool.prototype, 'connect')
  for (const url of ['/assets/main-older.js', '/assets/main-older.css', '/nowhere.js', '/'])
    await app.inject({ url, headers: { accept: '*/*', authorization: 'Bearer of.somebody' } })
  expect(connect).not.toHaveBeenCalled()
  connect.mockRestore()
})

async function headersAt(publicUrl: string, hstsSubdomains = false) {
  const app = Fastify()
  app.addHook('onRequest', setSecurityHeaders({ publicUrl, hstsSubdomains }))
  const { headers } = await app.inject('/nowhere')
  const ofTheAnswer = ['content-type', 'content-length', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name)))
}

const expected = {
  'content-security-policy':
    "default-src 'none';script-src 'self';worker-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;" +
    "font-src 'self';connect-src 'self';manifest-src 'self';object-src 'self' blob:;frame-src 'self' blob:;" +
    "base-uri 'none';form-action 'self';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types default",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': expect.stringMatching(/^accelerometer=\(\), .*camera=\(\), .*microphone=\(\)/),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

it('security headers stand with every answer, also where nothing is', async () => {
  expect(await headersAt('http://localhost:3000')).toEqual(expected)
})

it('security headers require https where Lectern is served by it, and exclude subdomains unless the operator includes them', async () => {
  const https = 'https://notes.example.org'
  const keepTo = (text: string) => ({ ...expected, 'strict-transport-security': text })
  expect(await headersAt(https)).toEqual(keepTo('max-age=31536000'))
  expect(await headersAt(https, true)).toEqual(keepTo('max-age=31536000; includeSubDomains'))
  expect(await headersAt('http://localhost:3000', true)).toEqual(expected)
})
