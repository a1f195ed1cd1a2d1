import { createServer } from 'node:net'

/** A port that nobody listens on at this moment. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  const port = await tryPort(0, host)
  if (port === null) throw new Error(`There is no free port at ${host}`)
  return port
}

/** @returns the port if it could be listened on, or null. For 0 it is one that the system chose. */
export function tryPort(port: number, host = '127.0.0.1'): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
