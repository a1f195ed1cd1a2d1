import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { endpointsOf } from '../../../packages/contract/endpoint.ts'
import { describeWait, errorMessage } from '../../../packages/contract/errors.ts'
import { deleteNote, viewNote } from '../../../packages/contract/notes.endpoints.ts'
import { listNotes } from '../../../packages/contract/search.endpoints.ts'
import { getMe, logIn } from '../../../packages/contract/sessions.endpoints.ts'
import { startTestServer } from '../../test/test-server.ts'
import { ApiError, createApi, getErrorMessage } from './client.ts'

const unauthorized = { status: 401, body: { message: 'Unauthorized. Please log in.', code: 'unauthorized' } }
const ended = { status: 401, body: { message: 'Session expired. Please log in again.', code: 'session_expired' } }
const refreshPath = '/api/users/auth/refresh'
const endPath = '/api/users/auth/logout'

const define = endpointsOf('test')
const ok = { summary: 'Test', responses: { 200: z.object({ ok: z.boolean() }) } } as const
const get = (path: `/${string}`) => define('GET', path, ok)
const getOk = get('/api/notes')
const getNumber = define('GET', '/api/notes/:index', { ...ok, params: z.object({ index: z.string() }) })
const search = define('GET', '/api/notes', { ...ok, query: z.object({}) })
const change = define('PATCH', '/api/users/me', {
  ...ok,
  body: z.object({ recentlyViewedNotes: z.array(z.string()) }),
  ifMatch: true,
})
const credentials = { email: 'ada@uni.example', password: 'Marigold desk 42!' }

async function serve(...args: Parameters<typeof startTestServer>) {
  const server = await startTestServer(...args)
  return Object.assign(server, { api: createApi({ baseUrl: server.baseUrl }) })
}

/** An API that has an old access token and accepts only `good`, which a refresh returns unless `refresh` differs. */
async function start(refresh: { status: number; body?: unknown } = { status: 200, body: { accessToken: 'good' } }) {
  const server = await serve(({ path, bearer }) => {
    if (path === refreshPath) return refresh
    if (path === endPath) return { status: 204 }
    return bearer === 'good' ? { status: 200, body: { ok: true } } : unauthorized
  })
  let lost = 0
  server.api.onSessionLost(() => lost++)
  server.api.setAccessToken('old')
  return Object.assign(server, { lost: () => lost })
}

test('ten requests that fail together share one refresh, and each is repeated once', async () => {
  await using server = await start()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => server.api.call(getNumber, { params: { index: `${index}` } })),
  )
  expect(answers).toEqual(Array(10).fill({ ok: true }))
  expect(server.count('POST', refreshPath)).toBe(1)
  for (let index = 0; index < 10; index++) expect(server.count('GET', `/api/notes/${index}`)).toBe(2)
  expect(server.lost()).toBe(0)
})

test('a request that fails after another one refreshed takes the fresh token without asking again', async () => {
  const late = Promise.withResolvers<void>()
  await using server = await serve(async ({ path, bearer }) => {
    if (path === refreshPath) return { status: 200, body: { accessToken: 'good' } }
    if (path === '/slow' && bearer === 'old') await late.promise
    return bearer === 'good' ? { status: 200, body: { ok: true } } : unauthorized
  })
  server.api.setAccessToken('old')
  const slow = server.api.call(get('/slow'))
  await server.api.call(get('/quick'))
  late.resolve()
  await slow
  expect(server.count('POST', refreshPath)).toBe(1)
})

test('a repeated request that is refused again is not repeated a second time', async () => {
  await using server = await start({ status: 200, body: { accessToken: 'still wrong' } })
  await expect(server.api.call(getOk)).rejects.toMatchObject({ status: 401, code: 'unauthorized' })
  expect(server.count('GET', '/api/notes')).toBe(2)
  expect(server.count('POST', refreshPath)).toBe(1)
})

test('a 401 with another message is no reason to refresh', async () => {
  await using server = await serve(() => ({
    status: 401,
    body: { message: 'Invalid email or password', code: 'invalid_credentials' },
  }))
  await expect(server.api.call(logIn, { body: credentials })).rejects.toThrow('Invalid email or password')
  expect(server.seen).toHaveLength(1)
})

test('a refused refresh ends the session once for all requests that failed together', async () => {
  await using server = await start(ended)
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => server.api.call(getOk)))
  for (const result of results) expect(result).toMatchObject({ reason: { status: 401, code: 'unauthorized' } })
  expect(server.count('POST', refreshPath)).toBe(1)
  await expect.poll(() => server.count('POST', endPath)).toBe(1)
  expect(server.lost()).toBe(1)
  expect(server.api.hasAccessToken()).toBe(false)
})

test('a request marked to skip it fails alone and ends nothing', async () => {
  await using server = await start(ended)
  await expect(server.api.call(getMe, { skipSessionExpiry: true })).rejects.toMatchObject({ status: 401 })
  expect(server.lost()).toBe(0)
  expect(server.count('POST', endPath)).toBe(0)
  expect(server.api.hasAccessToken()).toBe(true)
})

test.each([429, 502, 503])('a server in trouble (%i) does not log anybody out', async (status) => {
  await using server = await start({ status, body: { message: 'Busy', code: 'busy' } })
  await expect(server.api.call(getOk)).rejects.toMatchObject({ status })
  expect(server.lost()).toBe(0)
  expect(server.count('POST', endPath)).toBe(0)
})

test('the first request without a session gets an answer that is no error in the browser', async () => {
  await using server = await serve(({ path }) => ({ status: path === `${refreshPath}?ifAny=true` ? 204 : 500 }))
  await expect(server.api.refresh({ ifAny: true })).rejects.toMatchObject({ status: 401 })
  expect(server.api.hasAccessToken()).toBe(false)
})

test('a user who logs out during a refresh stays logged out', async () => {
  await using server = await start()
  const refreshed = server.api.refresh()
  server.api.setAccessToken(null)
  await expect(refreshed).rejects.toBeInstanceOf(ApiError)
  expect(server.api.hasAccessToken()).toBe(false)
})

test.each([
  ['account_suspended', 1],
  ['not_found', 0],
])('with a suspended session, a refusal by %s is reported %i times, and stays one', async (code, times) => {
  await using server = await serve(({ path, bearer }) => {
    if (path === refreshPath) return { status: 200, body: { accessToken: 'limited' } }
    return bearer === 'limited' ? { status: 403, body: { message: 'No.', code } } : unauthorized
  })
  let count = 0
  server.api.onSuspended(() => count++)
  server.api.setAccessToken('old')
  await expect(server.api.call(getOk)).rejects.toMatchObject({ status: 403, code })
  expect(count).toBe(times)
  expect(server.api.hasAccessToken()).toBe(true)
})

test('requests carry the token, the query without blanks, and the body as JSON', async () => {
  await using server = await start()
  server.api.setAccessToken('good')
  await server.api.call(search, { query: { title: 'a b', courseCode: '', instructor: undefined } })
  await server.api.call(change, { body: { recentlyViewedNotes: [] }, ifMatch: 'v1' })
  expect(server.seen).toMatchObject([
    { path: '/api/notes?title=a+b', bearer: 'good', body: undefined },
    { method: 'PATCH', bearer: 'good', body: { recentlyViewedNotes: [] }, headers: { 'if-match': '"v1"' } },
  ])
})

test('requests an answer without a body is null, a file is a Blob', async () => {
  await using server = await serve(({ path }) =>
    path === '/api/notes/a%2Fb/view' ? { status: 200, text: '%PDF' } : { status: 204 },
  )
  expect(await server.api.call(deleteNote, { params: { id: '1' } })).toBeNull()
  const file = await server.api.call(viewNote, { params: { id: 'a/b' } })
  expect(await file.text()).toBe('%PDF')
})

test('requests a response that does not match the contract is an unexpected failure', async () => {
  await using server = await serve(() => ({ status: 200, body: { notes: 'none' } }))
  await expect(server.api.call(listNotes)).rejects.toMatchObject({ code: 'unexpected' })
  // A schema that is loaded on demand is checked, too.
  await expect(server.api.call(getMe)).rejects.toMatchObject({ code: 'unexpected' })
})

test('requests a refusal keeps its code, message and fields', async () => {
  const body = { message: 'Please check.', code: 'invalid_input', fields: { email: 'Not an address' } }
  await using server = await serve(() => ({ status: 400, body }))
  await expect(server.api.call(logIn, { body: credentials })).rejects.toMatchObject({ status: 400, ...body })
})

test('requests no answer at all is a network failure; an abort stays an abort', async () => {
  const server = await serve(() => new Promise(() => {}))
  const controller = new AbortController()
  const aborted = server.api.call(getOk, { signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  await server[Symbol.asyncDispose]()
  await expect(server.api.call(getOk)).rejects.toMatchObject({ status: 0, code: 'network' })
})

describe('a time limit', () => {
  /** A response whose bytes the test sends. */
  function holdBody(): TransformStream<Uint8Array, Uint8Array> {
    const body = new TransformStream<Uint8Array, Uint8Array>()
    vi.useFakeTimers()
    vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => body.writable.abort(signal.reason).catch(() => {}))
      return new Response(body.readable)
    })
    return body
  }
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const params = { id: '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a01' }

  test('does not end a file that comes slowly', async () => {
    const writer = holdBody().writable.getWriter()
    const called = createApi().call(viewNote, { params })
    for (let chunk = 0; chunk < 40; chunk++) {
      await vi.advanceTimersByTimeAsync(19_000)
      await writer.write(new Uint8Array(10))
    }
    await writer.close()
    expect((await called).size).toBe(400)
  })

  test('ends one of which no byte comes for 20 seconds', async () => {
    holdBody()
    const failure = createApi()
      .call(viewNote, { params })
      .catch((error) => error)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await failure).toMatchObject({ status: 0, code: 'network' })
  })
})

describe('getErrorMessage', () => {
  afterEach(() => void vi.useRealTimers())
  const failure = (status: number, message: string) => new ApiError({ status, body: { message, code: 'x' } })
  test('is the server message', () =>
    expect(getErrorMessage(failure(400, 'Expired link'), 'fallback')).toBe('Expired link'))
  test.each([
    ['the message without content', failure(500, 'An error occurred')],
    ['a network failure', new ApiError({ status: 0, body: null })],
    ['a mistake of our own', new TypeError('x is not a function')],
  ])('is the fallback for %s', (_, error) => expect(getErrorMessage(error, 'fallback')).toBe('fallback'))
  test.each([
    [5 * 60, 'Please try again in 5 minutes.'],
    [3_600, 'Please try again at 10:31.'],
    [86_399, 'Please try again tomorrow at 09:31.'],
  ])('describes the end of a wait of %i s', (retryAfterSeconds, text) => {
    vi.useFakeTimers({ now: new Date(2026, 10, 21, 9, 30, 30) })
    const body = {
      message: errorMessage('rate_limited', { when: describeWait(retryAfterSeconds) }),
      code: 'rate_limited',
    }
    expect(new ApiError({ status: 429, body, retryAfterSeconds }).message).toBe(`Too many attempts. ${text}`)
  })
})

const params = { id: '0b8a7d52-51c5-4f0e-9d6c-0c6a3a8f6a01' }
const whole = 'the whole file'
/** Serves ranges of one file version to requests with the token. */
const startFileServer = (etag: string) =>
  serve(({ path, bearer, headers }) => {
    if (path === refreshPath) return { status: 200, body: { accessToken: 'good' } }
    if (bearer !== 'good') return unauthorized
    const ifRange = headers['if-range']
    if (ifRange !== undefined && ifRange !== etag) return { status: 200, text: whole, headers: { etag } }
    const [, start = 0, end = 0] = (/^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []).map(Number)
    const range = `bytes ${start}-${end}/${whole.length}`
    return { status: 206, text: whole.slice(start, end + 1), headers: { etag, 'content-range': range } }
  })

test('a part of a file comes with what it is a part of, also after a refresh', async () => {
  await using server = await startFileServer('"1"')
  server.api.setAccessToken('old')
  const part = await server.api.callRange(viewNote, { params, range: { start: 4, end: 9 } })
  expect(part).toMatchObject({ totalBytes: whole.length, etag: '"1"' })
  expect(new TextDecoder().decode(part?.bytes)).toBe('whole')
  expect(await server.api.callRange(viewNote, { params, range: { start: 0, end: 3, etag: '"1"' } })).not.toBeNull()
  expect(server.count('POST', refreshPath)).toBe(1)
})

test('a part of a file of another version is none', async () => {
  await using server = await startFileServer('"2"')
  server.api.setAccessToken('good')
  expect(await server.api.callRange(viewNote, { params, range: { start: 0, end: 3, etag: '"1"' } })).toBeNull()
})

test('a part of a file is all of it where ranges are not known on the way', async () => {
  await using server = await serve(() => ({ status: 200, text: whole, headers: { etag: '"1"' } }))
  const part = await server.api.callRange(viewNote, { params, range: { start: 0, end: 3 } })
  expect(part?.bytes).toHaveLength(whole.length)
  expect(part?.totalBytes).toBe(whole.length)
})
