import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { BundleSizes } from '../tools/bundle-sizes.ts'
import type { Figures } from './measure.ts'

export type Comparison = {
  name: string
  connections: number
  ours: Figures
  floor?: Figures | undefined
  bare?: Figures | undefined
  /** The server's after it. */
  residentBytes: number
}
export type Report = {
  command: string
  startedAt: Date
  loadAtStart: number
  notes: number
  freshStartMs: number
  laterStartsMs: number[]
  comparisons: Comparison[]
  idleBytes: number
  bundle: BundleSizes | null
}

/** Above this part of the processors taken by others, figures mean little. */
const noisyShare = 0.4

/** The run as Markdown. */
export function writeReport(report: Report): string {
  const load = `load average ${report.loadAtStart.toFixed(1)} at the start and ${loadavg()[0]?.toFixed(1)} at the end`
  const isNoisy = report.loadAtStart > noisyShare * availableParallelism()
  return [
    `\`${report.command}\`, ${report.startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, Node ${process.version},`,
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${load}.`,
    ...(isNoisy
      ? ['', '**Noisy: other programs were using the machine. Read the ratios, not the absolute figures.**']
      : []),
    '',
    '### Start to ready',
    '',
    table(
      ['Start', 'Time'],
      [
        ['Fresh DATA_DIR (makes the database, migrates)', ms(report.freshStartMs)],
        [`Existing DATA_DIR (median of ${report.laterStartsMs.length})`, ms(median(report.laterStartsMs))],
      ],
    ),
    '',
    `### Requests, with ${report.notes.toLocaleString('en')} notes`,
    '',
    comparisonTable(report.comparisons),
    '',
    `Idle after the start the server had ${megabytes(report.idleBytes)} resident.`,
    '',
    '### Pages',
    '',
    report.bundle ? bundleTable(report.bundle) : 'Not built: `npm run build` first.',
    '',
  ].join('\n')
}

function comparisonTable(comparisons: Comparison[]): string {
  const head = [
    ...['Work', 'Connections', 'Requests/s', 'floor', 'of the floor', 'bare', 'of bare'],
    ...['p50', 'floor', 'p99', 'floor', 'Memory', 'Failures'],
  ]
  const share = (ours: Figures, other?: Figures) =>
    other ? (ours.requestsPerSecond / other.requestsPerSecond).toFixed(2) : '–'
  const rows = comparisons.map(({ name, connections, ours, floor, bare, residentBytes }) => [
    name,
    String(connections),
    rate(ours.requestsPerSecond),
    rate(floor?.requestsPerSecond),
    share(ours, floor),
    rate(bare?.requestsPerSecond),
    share(ours, bare),
    ms(ours.p50Ms),
    ms(floor?.p50Ms),
    ms(ours.p99Ms),
    ms(floor?.p99Ms),
    megabytes(residentBytes),
    [ours, floor, bare].map((figures) => figures?.failures ?? '–').join(' / '),
  ])
  return table(head, rows)
}

function bundleTable(bundle: BundleSizes): string {
  const rows = Object.values(bundle).map(({ title, files, bytes, gzipBytes }) => [
    title,
    String(files),
    kilobytes(bytes),
    gzipBytes === null ? '–' : kilobytes(gzipBytes),
  ])
  return table(['What', 'Files', 'Size', 'gzipped'], rows)
}

/** The first column is text, the others are figures. */
function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

const rate = (value = Number.NaN) =>
  Number.isNaN(value) ? '–' : value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
/** No figure where no request was answered. */
const ms = (value = Number.NaN) =>
  Number.isNaN(value)
    ? '–'
    : value >= 1000
      ? `${(value / 1000).toFixed(2)} s`
      : value >= 100
        ? `${value.toFixed(0)} ms`
        : `${value.toFixed(1)} ms`
const megabytes = (bytes: number) => (Number.isNaN(bytes) ? 'unknown' : `${Math.round(bytes / 2 ** 20)} MB`)
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
