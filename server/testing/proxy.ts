import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/**
 * Proxies connections to PostgreSQL or a storage, and can cut and restore them to simulate a restart of any length.
 * @param first the number of connections of an application that are refused before any is accepted.
 */
export async function startProxy(targetUrl: string, first?: { refuse: number; applicationName: string }) {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const mutedNames = new Set<string>()
  let isCut = false
  let refused = 0
  const server = createServer((incoming) => {
    if (isCut) {
      refused += 1
      incoming.on('error', () => {}).destroy()
      return
    }
    // The first message of a client contains its application name.
    incoming.once('data', (hello: Buffer) => {
      if (first && refused < first.refuse && hello.includes(first.applicationName)) {
        refused += 1
        incoming.destroy()
        return
      }
      const outgoing = createConnection(Number(target.port), target.hostname)
      outgoing.write(hello)
      join(incoming, outgoing)
      join(outgoing, incoming, () => [...mutedNames].some((name) => hello.includes(name)))
    })
    incoming.on('error', () => {})
  })

  function join(from: Socket, to: Socket, isMuted = () => false): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on('data', (data) => isMuted() || to.write(data))
    from.on('end', () => to.end())
  }

  function cut(): void {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(targetUrl)
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    cut,
    restore: () => {
      isCut = false
    },
    /**
     * From now on drops all data to an application without closing its connections. The name comes from its first
     * message.
     */
    mute: (name: string) => void mutedNames.add(name),
    /** Returns the number of connections refused while the proxy was cut. */
    countRefused: () => refused,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
