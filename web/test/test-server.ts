import { createServer, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = { status: number; body?: unknown; text?: string; headers?: OutgoingHttpHeaders }
type Seen = { method: string; path: string; bearer: string | null; headers: IncomingHttpHeaders; body: unknown }

/** A server on the loopback that responds with `reply` and records its requests in order. */
export async function startTestServer(reply: (request: Seen) => Reply | Promise<Reply>) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const asked: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      bearer: request.headers.authorization?.replace('Bearer ', '') ?? null,
      headers: request.headers,
      body: await readJson(request),
    }
    seen.push(asked)
    const { status, body, text, headers } = await reply(asked)
    response.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/html', ...headers })
    response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    count: (method: string, path: string) => seen.filter((one) => one.method === method && one.path === path).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}
