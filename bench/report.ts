import type { BundleSizes } from '../tools/bundle-sizes.ts'
import { describeRun, kilobytes, megabytes, ms, type Run, rate, table } from './markdown.ts'
import type { Figures } from './measure.ts'
import { median } from './median.ts'

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
  run: Run
  notes: number
  freshStartMs: number
  laterStartsMs: number[]
  comparisons: Comparison[]
  idleBytes: number
  bundle: BundleSizes | null
}

/** The run as Markdown. */
export function writeReport(report: Report): string {
  return [
    describeRun(report.run),
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
