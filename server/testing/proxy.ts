import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/**
 * A way to PostgreSQL or a store that can be cut and restored: what a restart looks like from outside, as long as a test
 * likes.
 * @param first the connections of a program that are refused before any gets through.
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
    // The first thing a client says is what it is called.
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
    /** From now on nothing that is said to a program gets through, and no connection of it ends. It said its name first. */
    mute: (name: string) => void mutedNames.add(name),
    /** Connections asked for while the way was cut. */
    countRefused: () => refused,
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
