import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'

/** A way to PostgreSQL that can be cut and restored, as a restart of the server looks from outside, for as long as a test likes. */
export async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = createConnection(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return server.address() as { port: number }
  }
  const { port } = await listen(0)
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`

  const cut = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: url.href,
    cut,
    restore: () => listen(port),
    close: cut,
  }
}
