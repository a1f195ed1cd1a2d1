import { once } from 'node:events'
import { type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  json<T = Record<string, unknown>>(): T
}
type Request = { method?: string; headers?: Record<string, string>; body?: Buffer | object }

/** Opens an HTTP/2 client, as browsers use, that trusts only one certificate authority. */
export function openClient(url: string, ca: string, localAddress?: string) {
  const { port, hostname: servername } = new URL(url)
  // `localhost` may resolve to an address that the proxy does not listen on.
  const socket = { host: '127.0.0.1', port: Number(port), servername, ca, localAddress, ALPNProtocols: ['h2'] }
  const session = connect(url, { createConnection: () => connectTls(socket) })
  session.on('error', () => {})

  /** Opens a request whose body the caller sends. */
  const open = (method: string, path: string, headers: Record<string, string> = {}, endStream = false) =>
    session.request({ ':method': method, ':path': path, ...headers }, { endStream })

  async function send(path: string, { method = 'GET', headers = {}, body }: Request = {}): Promise<Answer> {
    if (body === undefined) return receive(open(method, path, headers, true))
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const stream = open(method, path, { 'content-type': 'application/json', ...headers })
    stream.end(bytes)
    return receive(stream)
  }

  return { open, send, close: () => session.destroy() }
}

export async function receive(stream: ClientHttp2Stream): Promise<Answer> {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  const body = await buffer(stream)
  return { status: Number(headers[':status']), headers, body, json: () => JSON.parse(body.toString()) }
}
