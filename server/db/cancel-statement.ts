import { connect } from 'node:net'
import type pg from 'pg'

const cancelRequest = 80_877_102
const patienceMs = 5_000

/** Asks, on a connection of its own, that what a client runs be ended; it fails as one that took too long. */
export function cancelStatement(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as pg.PoolClient & { processID: number; secretKey: number }
  const request = Buffer.alloc(16)
  request.writeInt32BE(request.length, 0)
  request.writeInt32BE(cancelRequest, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on('error', () => {})
  socket.setTimeout(patienceMs, () => socket.destroy())
  // Whoever gets it closes the connection when it is done: a pooler forgets what is asked by one that is closed before.
  socket.write(request)
}
