import { createHash } from 'node:crypto'

/** How long the slices of a measurement are. Each row is warmed up by one slice that does not count. */
export type Pace = { slices: number; sliceMs: number }

/** The successful requests of one slice, and the number of those that failed. */
export type Slice = { latenciesMs: number[]; elapsedMs: number; failures: number }

export type Metric = 'medianMs' | 'p95Ms' | 'p99Ms' | 'perSecond'
export type Figures = Record<Metric, number> & {
  failures: number
  /** The spread of a metric between the slices, as a share of its median. */
  spread: (metric: Metric) => number
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
  const contenders = Object.entries(loads)
    .filter((entry): entry is [string, Load] => entry[1] !== undefined)
    .map(([name, load]) => ({ name, load, taken: [] as Slice[] }))
  for (const { load } of contenders) await load(sliceMs)
  for (let slice = 0; slice < slices; slice++) {
    calibrate()
    for (const { load, taken } of slice % 2 === 0 ? contenders : contenders.toReversed())
      taken.push(await load(sliceMs))
  }
  const figures = contenders.map(({ name, taken }) => [name, summarise(taken)])
  return Object.fromEntries(figures) as Contenders<Figures>
}

export function summarise(slices: Slice[]): Figures {
  const all: Slice = {
    latenciesMs: slices.flatMap(({ latenciesMs }) => latenciesMs),
    elapsedMs: slices.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  }
  const of = (metric: Metric, slice: Slice) =>
    metric === 'perSecond'
      ? (slice.latenciesMs.length / slice.elapsedMs) * 1000
      : percentile(slice.latenciesMs, { medianMs: 0.5, p95Ms: 0.95, p99Ms: 0.99 }[metric])
  return {
    medianMs: of('medianMs', all),
    p95Ms: of('p95Ms', all),
    p99Ms: of('p99Ms', all),
    perSecond: of('perSecond', all),
    failures: all.failures,
    spread: (metric) => spreadOf(slices.map((slice) => of(metric, slice))),
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

const calibration = Buffer.alloc(16 * 2 ** 20, 'Lectern')
const calibrationsMs: number[] = []

/** Times a fixed piece of work. Its spread shows how evenly the machine ran, whatever the servers did. */
export function calibrate(): void {
  const startedAt = performance.now()
  createHash('sha256').update(calibration).digest()
  calibrationsMs.push(performance.now() - startedAt)
}

export const machineNoise = () => spreadOf(calibrationsMs)
