/** How long the slices of a measurement are. Each row is warmed up by one slice that does not count. */
export type Pace = { slices: number; sliceMs: number }

/** The successful requests of one slice, and the number of those that failed. */
export type Slice = { latenciesMs: number[]; elapsedMs: number; failures: number }

export type Metric = 'medianMs' | 'p95Ms' | 'p99Ms' | 'perSecond'
export type Figures = {
  of(metric: Metric): number
  /** Of a metric between the slices, as a share of its median. */
  spread(metric: Metric): number
  failures: number
}

/** Puts load on one server, or on PostgreSQL, for that long. */
export type Load = (durationMs: number) => Promise<Slice>

/** Lectern and what it is compared with. */
export type Contenders<T> = { lectern: T; directus?: T | undefined; postgresql?: T | undefined }

/**
 * Measures all loads in turns, a slice each, so that whatever else the machine does affects them alike. The order
 * alternates, because the first of a pair could leave the second something to do.
 */
export async function measureInTurns(loads: Contenders<Load>, { slices, sliceMs }: Pace): Promise<Contenders<Figures>> {
  const entries = Object.entries(loads) as [string, Load | undefined][]
  const contenders = entries.flatMap(([name, load]) => (load ? [{ name, load, taken: [] as Slice[] }] : []))
  for (const { load } of contenders) await load(sliceMs)
  for (let slice = 0; slice < slices; slice++) {
    for (const { load, taken } of contenders) taken.push(await load(sliceMs))
    contenders.reverse()
  }
  return Object.fromEntries(contenders.map(({ name, taken }) => [name, summarise(taken)])) as Contenders<Figures>
}

const shares = { medianMs: 0.5, p95Ms: 0.95, p99Ms: 0.99 }

function summarise(slices: Slice[]): Figures {
  const of = (metric: Metric, taken: Slice[]) => {
    const latenciesMs = taken.flatMap((slice) => slice.latenciesMs)
    const elapsedMs = taken.reduce((sum, slice) => sum + slice.elapsedMs, 0)
    return metric === 'perSecond' ? (latenciesMs.length / elapsedMs) * 1000 : percentile(latenciesMs, shares[metric])
  }
  return {
    of: (metric) => of(metric, slices),
    spread: (metric) => spreadOf(slices.map((slice) => of(metric, [slice]))),
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  }
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: number[]) => percentile(values, 0.5)

/** Half of the distance between the quartiles, as a share of the median: one disturbed slice of eight does not count. */
export function spreadOf(measured: number[]): number {
  const values = measured.filter((value) => !Number.isNaN(value))
  return values.length < 2 ? 0 : (percentile(values, 0.75) - percentile(values, 0.25)) / 2 / (median(values) || 1)
}
