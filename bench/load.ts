import autocannon from 'autocannon'

export type Figures = { requestsPerSecond: number; p50Ms: number; p99Ms: number; failed: number }
export type Request = {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  connections: number
}

export async function load(
  { url, method = 'GET', headers = {}, body, connections }: Request,
  seconds: number,
): Promise<Figures> {
  const result = await autocannon({ url, method, headers, connections, duration: seconds, ...(body && { body }) })
  return {
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Two servers in turn, so that the machine's noise meets both. @returns the medians of each. */
export async function loadInTurn(
  ours: Request,
  bare: Request,
  rounds: number,
  seconds: number,
): Promise<[Figures, Figures]> {
  const runs: [Figures[], Figures[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    runs[0].push(await load(ours, seconds))
    runs[1].push(await load(bare, seconds))
  }
  const summarise = (figures: Figures[]): Figures => ({
    requestsPerSecond: median(figures.map((figure) => figure.requestsPerSecond)),
    p50Ms: median(figures.map((figure) => figure.p50Ms)),
    p99Ms: median(figures.map((figure) => figure.p99Ms)),
    failed: figures.reduce((sum, figure) => sum + figure.failed, 0),
  })
  return [summarise(runs[0]), summarise(runs[1])]
}
