import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { waitUpTo } from '../db/waiting.ts'

/** How long accepted connections may still send a request. A proxy on a busy machine needs a part of this. */
const lateRequestsMs = 500
/** How often connections are closed whose request has been answered since. */
const closeIdleEveryMs = 100
/** In a turn of the event loop as short as this, hardly any connection can arrive. */
const shortTurnMs = 1
/** A server that is never idle enough closes after this time. */
const maxAcceptMs = 1_000

/**
 * Stops listening, and resolves when the requests of all connections are answered. `server.close()` would reset
 * connections that wait to be accepted or whose request is not read yet. Proxies answer those with 502, because they
 * must not repeat a POST.
 */
export async function stopListening(server: HttpServer): Promise<void> {
  if (!server.listening) return
  await acceptWaitingConnections(server)
  const closed = once(server, 'close')
  // Unlike the HTTP server's own `close`, this closes no connections.
  NetServer.prototype.close.call(server)
  await waitUpTo(lateRequestsMs, closed)
  using _interval = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs)
  await closed
}

/** Each turn of the event loop accepts only one connection, and many may have arrived during a long one. */
async function acceptWaitingConnections(server: HttpServer): Promise<void> {
  let hasAccepted = false
  const onConnection = () => {
    hasAccepted = true
  }
  server.on('connection', onConnection)
  const startedAt = performance.now()
  let turnMs: number
  do {
    await setImmediate()
    const turnStart = performance.now()
    hasAccepted = false
    await setImmediate()
    turnMs = performance.now() - turnStart
  } while ((hasAccepted || turnMs > shortTurnMs) && performance.now() - startedAt < maxAcceptMs)
  server.off('connection', onConnection)
}
