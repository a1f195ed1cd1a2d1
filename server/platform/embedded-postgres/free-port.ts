import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const quietPorts = { from: 20_000, count: 12_000 }
const maxTries = 100

/**
 * Returns a port that is free at this moment. It is below the ephemeral ports (from 32768 on Linux, 49152 elsewhere),
 * because an outgoing connection could take one of those before the caller listens on it.
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < maxTries; tries++) {
    const port = quietPorts.from + randomInt(quietPorts.count)
    await using probe = createServer()
    const isFree = await once(probe.listen(port, host), 'listening').catch(() => false)
    if (isFree) return port
  }
  throw new Error(`No free port on ${host}`)
}
