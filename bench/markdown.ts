import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

export type Run = { command: string; startedAt: Date; loadAtStart: number }

/** Above this part of the processors taken by others, figures mean little. */
const noisyShare = 0.4

/** What was run, when and on what machine. */
export function describeRun({ command, startedAt, loadAtStart }: Run): string {
  const load = `load average ${loadAtStart.toFixed(1)} at the start and ${loadavg()[0]?.toFixed(1)} at the end`
  const isNoisy = loadAtStart > noisyShare * availableParallelism()
  return [
    `\`${command}\`, ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, Node ${process.version},`,
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${load}.`,
    ...(isNoisy
      ? ['', '**Noisy: other programs were using the machine. Read the ratios, not the absolute figures.**']
      : []),
  ].join('\n')
}

/** The first column is text, the others are figures. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

export const rate = (value = Number.NaN) =>
  Number.isNaN(value) ? '–' : value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en')
/** No figure where no request was answered. */
export const ms = (value = Number.NaN) =>
  Number.isNaN(value)
    ? '–'
    : value >= 1000
      ? `${(value / 1000).toFixed(2)} s`
      : value >= 100
        ? `${value.toFixed(0)} ms`
        : `${value.toFixed(1)} ms`
export const megabytes = (bytes: number) => (Number.isNaN(bytes) ? 'unknown' : `${Math.round(bytes / 2 ** 20)} MB`)
export const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
