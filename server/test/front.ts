import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import type { App } from '../http/app-type.ts'

/** Of an nginx that leads to the server whose port a request names; the service `cluster` of tools/services.ts starts one. */
const { TEST_FRONT_PORT } = process.env
/** What can be sent. Who sets more, such as the address it comes from, speaks to the server without a network. */
const sent = new Set(['method', 'url', 'headers', 'payload'])
/** What nginx refuses by itself. */
const isRefused = /%00|\.\.%2f/i

/** Where there is a front, what a test sends to its server goes through it, over the network. */
export function leadThroughFront(app: App): void {
  if (!TEST_FRONT_PORT) return
  let listening: Promise<Server> | null = null
  async function listen(): Promise<Server> {
    await app.ready()
    const server = createServer(app.routing).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }
  app.addHook('onClose', async () => void (await listening)?.close())
  const inject = app.inject.bind(app)
  app.inject = (async (given: InjectOptions | string) => {
    const options = typeof given === 'string' ? { url: given } : given
    const { url } = options
    const isPlain =
      typeof url === 'string' && !isRefused.test(url) && Object.keys(options).every((name) => sent.has(name))
    if (!isPlain) return inject(options)
    listening ??= listen()
    return send(options, ((await listening).address() as AddressInfo).port)
  }) as App['inject']
}

async function send({ method = 'GET', url, headers, payload }: InjectOptions, port: number) {
  const { pathname, search } = new URL(String(url), 'http://localhost')
  const isBytes = payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)
  const isJson = !isBytes && !(payload instanceof Readable)
  const bytes = isJson ? JSON.stringify(payload) : payload
  const asked = request({
    host: '127.0.0.1',
    port: TEST_FRONT_PORT,
    method,
    path: pathname + search,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(typeof bytes === 'string' || Buffer.isBuffer(bytes) ? { 'content-length': Buffer.byteLength(bytes) } : {}),
      ...headers,
      host: 'localhost:80',
      'x-lectern-port': port,
    },
  })
  if (bytes instanceof Readable) bytes.pipe(asked)
  else asked.end(bytes)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  // Who answers before it has read everything may close the connection.
  asked.on('error', () => {})
  return answerOf(response, await buffer(response))
}

/** As `inject` answers. */
function answerOf({ statusCode, statusMessage, headers }: IncomingMessage, rawPayload: Buffer) {
  const lines = headers['set-cookie'] ?? []
  const body = rawPayload.toString()
  return {
    statusCode,
    statusMessage,
    headers: { ...headers, ...(lines.length === 1 && { 'set-cookie': lines[0] }) },
    cookies: lines.map(readCookie),
    rawPayload,
    body,
    payload: body,
    json: () => JSON.parse(body),
  }
}

function readCookie(line: string) {
  const [[name, value] = [], ...rest] = line.split('; ').map((part) => part.split('='))
  const said = new Map(rest.map(([what = '', how = '']) => [what.toLowerCase(), how]))
  const [maxAge, expires] = [said.get('max-age'), said.get('expires')]
  return {
    name,
    value,
    path: said.get('path'),
    sameSite: said.get('samesite'),
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
    ...(expires !== undefined && { expires: new Date(expires) }),
    ...(said.has('httponly') && { httpOnly: true }),
    ...(said.has('secure') && { secure: true }),
  }
}
