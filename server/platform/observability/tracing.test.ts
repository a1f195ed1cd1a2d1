import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { canary } from '../../testing/canary.ts'
import { recordLog } from '../../testing/log.ts'
import { get, requestReset } from '../../testing/students.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Record<string, unknown> }[]
}

/** Starts a collector for OTLP over HTTP. */
async function startCollector(port = 0) {
  const spans: Span[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    paths.add(request.url ?? '')
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    for (const { scopeSpans } of body.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  return { spans, paths, url: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

const isLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('@opentelemetry/sdk-trace'))
const untraced = await openTestApp()
const wasLoaded = isLoaded()
const collector = await startCollector()
afterAll(collector.close)
const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUST_PROXY: '10.0.0.0/8' }
const test = await openTestApp(traced)
const named = (name: string) => collector.spans.filter((span) => span.name === name)
const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

it('traces are loaded only where they go somewhere', async () => {
  expect((await untraced.app.inject({ url: '/api/config' })).statusCode).toBe(200)
  expect([wasLoaded, isLoaded()]).toEqual([false, true])
})

it('traces hold a request with what it asked of the database and the storage, below what called it', async () => {
  const student = await createUser(test)
  const noteId = await createNote(test, student)
  const [traceId, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const headers = { traceparent: `00-${traceId}-${parent}-01`, 'x-request-id': 'asked-1', ...student.auth }
  const url = `/api/notes/${noteId}/view`
  expect((await test.app.inject({ url, remoteAddress: '10.0.0.1', headers })).statusCode).toBe(200)
  await expect.poll(() => named('GET /api/notes/:id/view').length).toBe(1)
  const [request] = named('GET /api/notes/:id/view')
  if (!request) throw new Error('There is no such span')
  expect(request).toMatchObject({ traceId, parentSpanId: parent })
  expect(attributesOf(request)).toMatchObject({ 'http.route': '/api/notes/:id/view', 'request.id': 'asked-1' })
  const pieces = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  expect(pieces.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT', 'storage get']))
  expect(pieces.every((piece) => piece.traceId === traceId)).toBe(true)
})

it('traces do not continue a trace of a stranger', async () => {
  const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  await test.app.inject({ url: '/api/about', remoteAddress: '203.0.113.7', headers })
  await expect.poll(() => named('GET /api/about').length).toBe(1)
  expect(named('GET /api/about')[0]?.traceId).not.toBe('a'.repeat(32))
})

it('traces hold jobs', async () => {
  const student = await createUser(test)
  await requestReset(test, student.email)
  await expect.poll(() => named('account-mail').length).toBe(1)
  const [job] = named('account-mail')
  expect(collector.spans.some(({ name, parentSpanId }) => name === 'SELECT' && parentSpanId === job?.spanId)).toBe(true)
})

it('traces hold nothing of a student or a note', async () => {
  const student = await createUser(test, canary)
  const noteId = await createNote(test, student, { title: 'Wavelets of Zyzzx' })
  await get(test, `/api/notes?title=zyzzx&courseCode=XQZ`, student.auth)
  await get(test, `/api/notes/${noteId}/view?x=${student.id}`, student.auth)
  await expect.poll(() => named('GET /api/notes').length).toBe(1)
  await expect.poll(() => named('GET /api/notes/:id/view').length).toBe(2)
  const exported = JSON.stringify(collector.spans).toLowerCase()
  for (const secret of [student.id, noteId, student.email, canary.name, 'yzzx', 'xqz'])
    expect(exported).not.toContain(secret.toLowerCase())
  expect([...collector.paths]).toEqual(['/v1/traces'])
})

it('traces that the collector rejects are logged, and delay no request', async () => {
  const gone = await startCollector()
  gone.close()
  const { lines, log } = recordLog('warn')
  const lonely = await openTestApp({ OTEL_EXPORTER_OTLP_ENDPOINT: gone.url }, log)
  expect((await lonely.app.inject({ url: '/api/config' })).statusCode).toBe(200)
  await lonely.deps.telemetry.tracing.close()
  await expect.poll(() => lines.join('')).toMatch(/Couldn’t export traces: .*ECONNREFUSED/)
})
