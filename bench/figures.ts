import { options } from './library.ts'

/** The number and duration of a measurement's slices. One additional slice warms up each row and does not count. */
const [sliceCount, sliceMs] = options.quick ? [3, 1_500] : [6, 2_000]

/** The successful requests of one slice, and the number of failed ones. */
export type Slice = { latenciesMs: number[]; elapsedMs: number; failures: number }

export type Metric = 'medianMs' | 'p95Ms' | 'p99Ms' | 'perSecond'
export type Figures = {
  of(metric: Metric): number
  /** Returns the variation of a metric between the slices, as a share of its median. */
  spread(metric: Metric): number
  failures: number
}

/** Puts load on one server, or on PostgreSQL, for the duration. */
export type Load = (durationMs: number) => Promise<Slice>

/** Lectern and the systems that it is compared with. */
export type Contenders<T> = { lectern: T; directus?: T | undefined; postgresql?: T | undefined }

/**
 * Measures all loads alternately, one slice each, so that other activity of the machine affects them equally. The order
 * alternates too, because the first load could leave work for the second.
 */
export async function measureInTurns(loads: Contenders<Load>): Promise<Contenders<Figures>> {
  const entries = Object.entries(loads) as [string, Load | undefined][]
  const contenders = entries.flatMap(([name, load]) => (load ? [{ name, load, taken: [] as Slice[] }] : []))
  for (const { load } of contenders) await load(sliceMs)
  for (let slice = 0; slice < sliceCount; slice++) {
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

/**
 * Returns half of the interquartile range as a share of the median, so that one disturbed slice of eight does not
 * count.
 */
export function spreadOf(measured: number[]): number {
  const values = measured.filter((value) => !Number.isNaN(value))
  return values.length < 2 ? 0 : (percentile(values, 0.75) - percentile(values, 0.25)) / 2 / (median(values) || 1)
}
