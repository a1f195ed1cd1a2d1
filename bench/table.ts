import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Contenders, Figures, Metric } from './figures.ts'

type Unit = 'ms' | '/s' | 'MB' | 's' | 'nDCG' | 'CLS' | 'points' | 'of Directus' | 'times'
type Budget = { atMost: number } | { atLeast: number }
export type Row = {
  name: string
  unit: Unit
  measured: number
  budget?: Budget | undefined
  medianMs?: number
  perSecond?: number
  /** Comparable figures in the same unit, with the ratio to Lectern's speed. */
  directus?: Compared | undefined
  postgresql?: Compared | undefined
  /** The noise as a share of the figure. */
  noise?: number
  failures?: number
  /** The ranking quality of a kind of search. */
  quality?: number | undefined
}
type Compared = { measured: number; ratio: number }

/** Noise above this limit is not tolerated: such a busy machine proves nothing. */
const maxNoise = 0.5
const startedAt = new Date()
const loadAtStart = loadavg()[0]

/** Returns the budget for the first page of any list. */
export const firstPageBudget = (noteCount: number): Budget => ({ atMost: noteCount > 100_000 ? 250 : 100 })

/** Makes a row for a load: the metric of the budget, with median and rate. Ratios compare rates. */
export function loadRow(
  name: string,
  metric: Exclude<Metric, 'perSecond'>,
  { lectern, ...peers }: Contenders<Figures>,
  budget?: Budget,
): Row {
  const compared = (peer: Figures | undefined): Compared | undefined =>
    peer && { measured: peer.of(metric), ratio: lectern.of('perSecond') / peer.of('perSecond') }
  return {
    name: `${name}, ${metric.slice(0, -2)}`,
    unit: 'ms',
    measured: lectern.of(metric),
    budget,
    medianMs: lectern.of('medianMs'),
    perSecond: lectern.of('perSecond'),
    directus: compared(peers.directus),
    postgresql: compared(peers.postgresql),
    noise: lectern.spread(metric),
    // A peer that rejects requests is not comparable.
    failures: lectern.failures + (peers.directus?.failures ?? 0) + (peers.postgresql?.failures ?? 0),
  }
}

/** Prints the table, stores it in bench/reports, and makes the process fail when a row does. */
export async function report(name: string, what: string, rows: Row[]): Promise<void> {
  const columns: Record<string, (row: Row) => string | undefined> = {
    Work: (row) => row.name,
    Budget: ({ budget, unit }) =>
      budget && ('atMost' in budget ? `≤ ${format(budget.atMost, unit)}` : `≥ ${format(budget.atLeast, unit)}`),
    Measured: ({ measured, unit }) => format(measured, unit),
    Noise: (row) => (row.noise === undefined ? undefined : `± ${Math.round(row.noise * 100)} %`),
    Median: (row) => (row.medianMs === undefined ? undefined : format(row.medianMs, 'ms')),
    'Per second': (row) => (row.perSecond === undefined ? undefined : format(row.perSecond, '/s')),
    Directus: ({ directus, unit }) => directus && format(directus.measured, unit),
    'Ratio to Directus': ({ directus }) => directus && format(directus.ratio, 'times'),
    PostgreSQL: ({ postgresql, unit }) => postgresql && format(postgresql.measured, unit),
    'Ratio to PostgreSQL': ({ postgresql }) => postgresql && format(postgresql.ratio, 'times'),
    Failures: (row) => row.failures?.toString(),
    'nDCG@10': ({ quality }) => (quality === undefined ? undefined : format(quality, 'nDCG')),
    Result: (row) => judge(row),
  }
  const used = Object.entries(columns).filter(([, cell]) => rows.some((row) => cell(row) !== undefined))
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(used.map(([title]) => title)),
    line(used.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line(used.map(([, cell]) => cell(row) ?? ''))),
  ]
  const text = [
    `\`${['npm run bench --', ...process.argv.slice(2)].join(' ')}\`: ${what}, with Node ${process.version} on`,
    `${availableParallelism()} × ${cpus()[0]?.model}, load ${loadAtStart?.toFixed(1)} before and ${loadavg()[0]?.toFixed(1)} after.`,
    '',
    ...table,
    '',
  ].join('\n')
  process.stdout.write(text)
  const folder = fileURLToPath(new URL('reports/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}-${startedAt.toISOString().slice(0, 16).replace(':', '-')}.md`, text)
  if (rows.some((row) => ['failed', 'missed'].includes(judge(row) ?? ''))) process.exitCode = 1
}

/** A budget is missed when the figure exceeds it by more than the noise of the row. */
function judge({ budget, measured, noise = 0, failures = 0 }: Row): string | undefined {
  // Memory and processor time are only available on Linux.
  if (Number.isNaN(measured) && process.platform !== 'linux') return 'unknown'
  if (failures > 0 || Number.isNaN(measured)) return 'failed'
  if (!budget) return undefined
  const allowed = 1 + Math.min(maxNoise, noise)
  const isWithin = (factor: number) =>
    'atMost' in budget ? measured <= budget.atMost * factor : measured * factor >= budget.atLeast
  return isWithin(1) ? 'met' : isWithin(allowed) ? 'within noise' : 'missed'
}

function format(value: number, unit: Unit): string {
  if (!Number.isFinite(value)) return 'unknown'
  if (unit === 'times') return value.toFixed(2)
  if (unit === 'nDCG' || unit === 'CLS') return value.toFixed(3)
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return unit === 'ms' && value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(digits)} ${unit}`
}
