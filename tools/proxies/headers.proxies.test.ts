import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { openClient } from './client.ts'
import { findPorts, startCaddy, startNginx } from './proxies.ts'

/** Says what it is asked with. */
const upstream = createServer(({ headers }, answer) => answer.end(JSON.stringify(headers)))
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const { port } = upstream.address() as AddressInfo
afterAll(() => {
  upstream.closeAllConnections()
  upstream.close()
})

describe.each([
  ['Caddy', startCaddy],
  ['nginx', startNginx],
] as const)('%s', (_, start) => {
  it('gives each request an id of its own, and passes on nobody’s word of it', async () => {
    const ports = await findPorts()
    const proxy = await start(ports, [port])
    const client = openClient(`https://localhost:${ports.https}`, proxy.ca)
    const claimed = {
      'x-request-id': 'claimed',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    try {
      const ids: unknown[] = []
      for (const headers of [claimed, claimed, {}]) {
        const seen = (await client.send('/api/notes', { headers })).json()
        expect(seen).not.toHaveProperty('traceparent')
        ids.push(seen['x-request-id'])
      }
      // As Lectern takes them.
      for (const id of ids) expect(id).toMatch(/^[\da-f-]{32,36}$/)
      expect(new Set(ids).size).toBe(3)
    } finally {
      client.close()
      await proxy.stop()
    }
  })
})
