import type { FastifyRequest } from 'fastify'

const intervalMs = 30_000
/** The slowest phone connection worth waiting for sends this much in an interval. */
const leastBytes = 16 * 2 ** 10

/**
 * Ends connections whose request body trickles in so slowly that they only hold the server up. There is nobody to
 * answer: a client that slow is gone or hostile.
 */
export async function guardStalledBodies(request: FastifyRequest): Promise<void> {
  const { raw } = request
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  let seenBytes = raw.socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    if (raw.socket.bytesRead - seenBytes < leastBytes) {
      request.log.info('A request body stalled and was cut off')
      raw.socket.destroy()
    }
    seenBytes = raw.socket.bytesRead
  }, intervalMs)
  timer.unref()
  raw.once('close', () => clearInterval(timer))
}
