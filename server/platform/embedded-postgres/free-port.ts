import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const quietPorts = { from: 20_000, count: 12_000 }
const maxTries = 100

/**
 * Returns a port that is free at this moment. It is below the ephemeral ports (from 32768 on Linux, 49152 elsewhere),
 * because an outgoing connection could take one of those before the caller listens on it.
 */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < maxTries; tries++) {
    const port = await tryPort(quietPorts.from + randomInt(quietPorts.count), host)
    if (port !== null) return port
  }
  throw new Error(`No free port on ${host}`)
}

/** @returns the port if it is free, or null. */
function tryPort(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
