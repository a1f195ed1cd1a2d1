import { createHash } from 'node:crypto'
import autocannon, { type Request } from 'autocannon'
import pg from 'pg'
import type { Load, Slice } from './figures.ts'
import type { Statement } from './record-sql.ts'

export type Call = {
  path: string
  method?: Request['method']
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends requests over so many connections, each as soon as the one before it is answered. */
export function httpLoad(origin: string, connections: number, next: () => Call): Load {
  return (durationMs) =>
    new Promise((resolve, reject) => {
      const latenciesMs: number[] = []
      const startedAt = performance.now()
      // Whatever a request has in addition to the one before it has to be undone.
      const setupRequest = (request: Request) => ({ ...request, method: 'GET' as const, body: undefined, ...next() })
      const options = { url: origin, connections, requests: [{ setupRequest }], timeout: 30, sampleInt: 50 }
      // The timer below ends it; requests that are not answered by then are not counted.
      const load = autocannon(
        { ...options, duration: durationMs / 1000 + 60 } as autocannon.Options,
        (error, result) => {
          clearTimeout(timer)
          if (error) return reject(error)
          resolve({ latenciesMs, elapsedMs: stoppedAt - startedAt, failures: result.errors + result.non2xx })
        },
      )
      load.on('response', (_client: unknown, status: number, _bytes: number, latencyMs: number) => {
        if (status < 300) latenciesMs.push(latencyMs)
      })
      let stoppedAt = Number.NaN
      const timer = setTimeout(() => {
        stoppedAt = performance.now()
        load.stop()
      }, durationMs)
    })
}

/** One request after the other on one connection, measured to the last byte. */
export function oneByOne(origin: string, next: () => Call): Load {
  return async (durationMs) => {
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    const startedAt = performance.now()
    while (slice.elapsedMs < durationMs) {
      const latencyMs = await timeCall(origin, next())
      if (Number.isNaN(latencyMs)) slice.failures++
      else slice.latenciesMs.push(latencyMs)
      slice.elapsedMs = performance.now() - startedAt
    }
    return slice
  }
}

/** @returns NaN when the request is refused. */
export async function timeCall(origin: string, { path, body, ...options }: Call): Promise<number> {
  const request = { ...options, ...(body && { body: Uint8Array.from(Buffer.from(body)) }) }
  const startedAt = performance.now()
  const response = await fetch(origin + path, request)
  await response.arrayBuffer()
  return response.ok ? performance.now() - startedAt : Number.NaN
}

/**
 * Runs the statements of one list after the other, as many at the same time as there are connections.
 * @param isPrepared for statements whose plan suits all values.
 */
export function postgresLoad(
  databaseUrl: string,
  connections: number,
  lists: Statement[][],
  isPrepared: boolean,
): Load {
  return async (durationMs) => {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections, min: connections })
    // A connection that fails while it is idle fails the next statement as well.
    pool.on('error', () => {})
    const slice: Slice = { latenciesMs: [], elapsedMs: 0, failures: 0 }
    let turn = 0
    const runList = async (client: pg.PoolClient) => {
      for (const { text, values } of lists[turn++ % lists.length] ?? []) {
        await client.query({ text, values, ...(isPrepared && values.length > 0 && { name: nameOf(text) }) })
      }
    }
    const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
    const startedAt = performance.now()
    const work = async (client: pg.PoolClient) => {
      while (performance.now() - startedAt < durationMs) {
        const sentAt = performance.now()
        await runList(client).then(
          () => slice.latenciesMs.push(performance.now() - sentAt),
          () => slice.failures++,
        )
      }
      client.release()
    }
    await Promise.all(clients.map(work))
    slice.elapsedMs = performance.now() - startedAt
    await pool.end()
    return slice
  }
}

const names = new Map<string, string>()
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
