import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { checkPublicUrl } from '../../server/operations/admin/doctor/checks.ts'
import { findFreePort } from '../../server/platform/embedded-postgres/free-port.ts'
import { field, file, goodFields, makeForm } from '../../server/testing/form.ts'
import { pdfOfBytes } from '../../server/testing/pdf-kinds.ts'
import { type ServerProcess, startServerProcess } from '../../server/testing/server-process.ts'
import { openDaemons, waitUntil } from '../../server/testing/services.ts'
import { openClient, readAuthority, receive, siteCaddy, siteNginx } from './test/proxy.ts'

const password = 'Marigold desk 42!'
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const daemons = await openDaemons('proxies')
afterAll(() => daemons.stop())

describe.each(Object.entries({ Caddy: siteCaddy, nginx: siteNginx }))('behind %s', (name, site) => {
  let httpPort = 0
  let ca = ''
  let lectern: ServerProcess
  let origin = ''
  let port = 0
  let client: ReturnType<typeof openClient>

  /** Starts the proxy in front of the servers with these ports. */
  async function startProxy(...servers: number[]) {
    const free = await findFreePort('127.0.0.1')
    const proxy = await daemons.start(name, site({ httpPort: free, servers }))
    return { httpPort: free, origin: `https://localhost:${proxy.port}`, ca: await readAuthority(proxy) }
  }

  beforeAll(async () => {
    port = await findFreePort('127.0.0.1')
    ;({ httpPort, origin, ca } = await startProxy(port))
    const env = { PORT: String(port), PUBLIC_URL: origin, TRUST_PROXY: '127.0.0.1', RATE_LIMIT: 'on' }
    lectern = await startServerProcess(undefined, { env })
    client = openClient(origin, ca)
    await waitUntil('The proxy reaches Lectern', async () => (await client.send('/readyz')).status === 200)
  })

  afterAll(async () => {
    client?.close()
    await lectern?.stop()
  })

  /**
   * Registers as the pages do.
   * @returns the headers of a login, and its cookies.
   */
  async function signUp(email: string) {
    const account = { name: 'Ada Okafor', email, password }
    const post = (path: string, body: object) => client.send(path, { method: 'POST', headers: { origin }, body })
    expect((await post('/api/users/', { ...account, confirmPassword: password })).status).toBe(201)
    const link = new URL(await lectern.readMailedLink(email))
    expect(link.origin).toBe(origin)
    const body = { token: link.searchParams.get('token') }
    expect((await post('/api/users/verify', body)).status).toBe(200)
    const entered = await post('/api/users/login', account)
    const cookies = entered.headers['set-cookie'] ?? []
    return { auth: { authorization: `Bearer ${entered.json().accessToken}` }, cookies }
  }

  it('http redirects to https, at the same path', async () => {
    const answer = await fetch(`http://localhost:${httpPort}/browse?title=x`, { redirect: 'manual' })
    expect([301, 308]).toContain(answer.status)
    const target = new URL(answer.headers.get('location') ?? '')
    expect([target.protocol, target.hostname, target.pathname, target.search]).toEqual([
      ...['https:', 'localhost', '/browse', '?title=x'],
    ])
  })

  it('pages have Lectern’s headers, once, and are compressed', async () => {
    const page = await client.send('/', { headers: { accept: 'text/html', 'accept-encoding': 'br' } })
    expect(page.status).toBe(200)
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/)
    const [script = ''] = /\/assets\/[\w.-]+\.js/.exec((await client.send('/')).body.toString()) ?? []
    const sent = await client.send(script, { headers: { 'accept-encoding': 'br' } })
    expect([sent.status, sent.headers['content-encoding']]).toEqual([200, 'br'])
    expect(sent.headers['cache-control']).toContain('immutable')
  })

  it('one registers, follows the link, logs in and stays so by a cookie for https alone', async () => {
    const { cookies } = await signUp('ada@uni.example')
    const refresh = cookies.find((cookie) => cookie.startsWith('__Host-lectern-refresh=')) ?? ''
    expect(refresh).toMatch(/; HttpOnly; Secure; SameSite=Strict/)
    const [cookie = ''] = refresh.split(';')
    const again = (from: string) =>
      client.send('/api/users/auth/refresh', { method: 'POST', headers: { cookie, origin: from } })
    expect((await again('https://elsewhere.example')).status).toBe(403)
    expect((await again(origin)).status).toBe(200)
  })

  it('a file of 25 MB is uploaded, and downloaded whole and in ranges', async () => {
    const { auth } = await signUp('bo@uni.example')
    const pdf = pdfOfBytes(25 * 2 ** 20)
    const { payload, headers } = makeForm([...goodFields, file(pdf)])
    const upload = { method: 'POST', headers: { ...headers, ...auth }, body: payload }
    const uploaded = await client.send('/api/notes', upload)
    expect(uploaded.status).toBe(201)
    const [note] = uploaded.json<{ notes: { _id: string }[] }>().notes
    const path = `/api/notes/${note?._id}/view`
    const whole = await client.send(path, { headers: auth })
    expect([whole.status, sha256(whole.body)]).toEqual([200, sha256(pdf)])
    const part = await client.send(path, { headers: { ...auth, range: 'bytes=1000000-1065535' } })
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 1000000-1065535/${pdf.length}`])
    expect(part.body.equals(pdf.subarray(1_000_000, 1_065_536))).toBe(true)
    const known = await client.send(path, { headers: { ...auth, 'if-none-match': String(whole.headers.etag) } })
    expect(known.status).toBe(304)
    const outside = await client.send(path, { headers: { ...auth, range: 'bytes=99999999-' } })
    expect(outside.status).toBe(416)
  })

  it('what is too large is refused in Lectern’s words', async () => {
    const { auth } = await signUp('cy@uni.example')
    const { payload, headers } = makeForm([...goodFields, file(pdfOfBytes(26 * 2 ** 20))])
    const upload = { method: 'POST', headers: { ...headers, ...auth }, body: payload }
    const tooLarge = await client.send('/api/notes', upload)
    expect([tooLarge.status, tooLarge.json().code]).toEqual([413, 'upload_too_large'])
    // A declared length is refused before any byte of the body is sent.
    const announced = { ...headers, ...auth, 'content-length': String(300 * 2 ** 20) }
    const stream = client.open('POST', '/api/notes', announced)
    const refused = await receive(stream)
    stream.close()
    expect([refused.status, refused.json().code]).toEqual([413, 'upload_too_large'])
  })

  it('an upload reaches Lectern while it is sent, and leaves nothing when its student leaves', async () => {
    const { auth } = await signUp('di@uni.example')
    const spool = join(lectern.dataDir, 'spool')
    const { payload, headers } = makeForm([...goodFields, field('isAnonymous', 'true'), file(pdfOfBytes(8 * 2 ** 20))])
    const stream = client.open('POST', '/api/notes', { ...headers, ...auth, 'content-length': String(payload.length) })
    stream.on('error', () => {})
    stream.write(payload.subarray(0, payload.length / 2))
    const list = async () => readdir(spool)
    await expect.poll(list).not.toEqual([])
    stream.close(8)
    await expect.poll(list).toEqual([])
    expect((await client.send('/api/users/me/notes', { headers: auth })).json().notes).toEqual([])
  })

  it('one of two servers that is dead takes no request from anybody, once it is known', async () => {
    const both = await startProxy(port, await findFreePort('127.0.0.1'))
    const asking = openClient(both.origin, both.ca)
    const body = { email: 'fay@uni.example', password: 'Not the 1 password' }
    const logIn = async () => {
      const { status } = await asking.send('/api/users/login', { method: 'POST', headers: { origin }, body })
      return [401, 429].includes(status) ? 'Lectern' : status
    }
    const several = async () => Promise.all(Array.from({ length: 5 }, logIn))
    await expect.poll(several).toEqual(Array(5).fill('Lectern'))
    for (let round = 0; round < 6; round++) expect(await several()).toEqual(Array(5).fill('Lectern'))
    asking.close()
  })

  it('the doctor finds that uploads get through', async () => {
    setDefaultCACertificates([...getCACertificates(), ca])
    const found = await checkPublicUrl(readConfig({ PUBLIC_URL: origin }))
    expect(found.map(({ kind, text }) => `${kind}: ${text}`)).toContainEqual(
      expect.stringMatching(/^ok: Uploads of \d+ MB reach Lectern/),
    )
  })

  it('limits count by the real address, whatever the headers claim', async () => {
    const body = { email: 'ed@uni.example', password: 'Not the 1 password' }
    const tries = async (from: typeof client, count: number) => {
      const statuses: number[] = []
      for (let index = 1; index <= count; index++) {
        const headers = { origin, 'x-forwarded-for': `198.51.100.${index}`, forwarded: `for=198.51.100.${index}` }
        statuses.push((await from.send('/api/users/login', { method: 'POST', headers, body })).status)
      }
      return statuses
    }
    expect(await tries(client, 11)).toEqual([...Array(10).fill(401), 429])
    const neighbour = openClient(origin, ca, '127.0.0.2')
    expect(await tries(neighbour, 1)).toEqual([401])
    neighbour.close()
  })

  it('each request gets its own id, and a client cannot set it', async () => {
    const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
    echo.listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const proxy = await startProxy((echo.address() as AddressInfo).port)
    const asking = openClient(proxy.origin, proxy.ca)
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const claimed = { 'x-request-id': 'claimed', traceparent }
    const ids: unknown[] = []
    for (const headers of [claimed, claimed, {}]) {
      const seen = (await asking.send('/api/notes', { headers })).json()
      expect(seen).not.toHaveProperty('traceparent')
      ids.push(seen['x-request-id'])
    }
    // This is the format that Lectern accepts.
    for (const id of ids) expect(id).toMatch(/^[\da-f-]{32,36}$/)
    expect(new Set(ids).size).toBe(3)
    asking.close()
    echo.closeAllConnections()
    echo.close()
  })
})
