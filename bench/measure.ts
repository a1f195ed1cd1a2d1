import autocannon, { type Client, type Request } from 'autocannon'

export type Target = {
  url: string
  connections: number
  method?: Request['method']
  headers?: Record<string, string>
  body?: string | Buffer
  /** For each connection, before its first request. */
  setupClient?: (client: Client) => void
  /** What the next request has instead. */
  next?: () => Pick<Request, 'method' | 'path' | 'body'> & { headers?: Record<string, string> }
}

/** What was seen of one target, over all of its slices. */
export type Samples = { latenciesMs: number[]; elapsedMs: number; failures: number }

export const noSamples = (): Samples => ({ latenciesMs: [], elapsedMs: 0, failures: 0 })

export type Figures = {
  requestsPerSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  requests: number
  failures: number
}

/**
 * Puts load on all targets by turns, a short slice each, in an order that changes, so that whatever else the machine
 * does meanwhile hits them alike. One slice before the first is not counted.
 */
export async function measureByTurns(targets: Target[], slices: number, sliceMs: number): Promise<Figures[]> {
  const samples = targets.map(noSamples)
  for (const target of targets) await putLoad(target, Math.min(sliceMs, 600), null)
  for (let slice = 0; slice < slices; slice++) {
    const order = targets.map((_, index) => index)
    if (slice % 2 === 1) order.reverse()
    for (const index of order) {
      const [target, into] = [targets[index], samples[index]]
      if (target && into) await putLoad(target, sliceMs, into)
    }
  }
  return samples.map(summarise)
}

/** The duration only bounds what the timer has not stopped. */
const bounds = { duration: 60, sampleInt: 50, timeout: 20 }

/** Requests under way at its end are not counted. */
export function putLoad(target: Target, durationMs: number, into: Samples | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const { next, ...always } = target
    // In headers that it is given back, autocannon leaves the length of a body to the next request, which may have none.
    const setupRequest = (request: Request) => ({ ...request, headers: { ...target.headers }, ...next?.() })
    const requests: Request[] = next ? [{ setupRequest }] : []
    const load = autocannon({ ...always, ...(next && { requests }), ...bounds }, (error, result) => {
      clearTimeout(timer)
      if (error) return reject(error)
      if (into) {
        into.elapsedMs += performance.now() - startedAt
        into.failures += result.errors + result.timeouts + result.non2xx
      }
      resolve()
    })
    load.on('response', (_client: unknown, status: number, _bytes: number, latencyMs: number) => {
      if (status < 400) into?.latenciesMs.push(latencyMs)
    })
    const timer = setTimeout(() => load.stop(), durationMs)
  })
}

export function summarise({ latenciesMs, elapsedMs, failures }: Samples): Figures {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  return {
    requests: sorted.length,
    failures,
    requestsPerSecond: elapsedMs === 0 ? 0 : (sorted.length / elapsedMs) * 1000,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
  }
}

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
