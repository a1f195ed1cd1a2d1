import { describeRun, megabytes, ms, type Run, rate, table } from '../markdown.ts'
import type { Figures } from '../measure.ts'

type Both<T> = { ours: T; peer: T }
export type PeerComparison = Both<Figures> & { name: string; connections: number; memory: Both<number> }
type PeerReport = { run: Run; notes: number; comparisons: PeerComparison[]; idle: Both<number> }

/** How many times the peer's requests a second are wanted, by the names of the rows. */
const goals = new Map([
  ['newest, first page', 11],
  ['most liked, first page', 11],
  ['page after row 10,000', 7],
  ['keyset, anywhere', 7],
  ['title, 50 words', 9],
  ['course and year', 5],
  ['all four filters', 5],
  ['me', 2],
  ['like', 9],
  ['download 1 MB', 2.5],
  ['range of 64 kB', 9],
])

/** The run as Markdown. */
export function writePeerReport({ run, notes, comparisons, idle }: PeerReport): string {
  const head = [
    ...['Work', 'Connections', 'Requests/s', 'peer', 'ratio', 'goal'],
    ...['p50', 'peer', 'p99', 'peer', 'Memory', 'peer', 'Failures'],
  ]
  const rows = comparisons.map(({ name, connections, ours, peer, memory }) => [
    name,
    String(connections),
    rate(ours.requestsPerSecond),
    rate(peer.requestsPerSecond),
    (ours.requestsPerSecond / peer.requestsPerSecond).toFixed(1),
    String(goals.get(name) ?? '–'),
    ms(ours.p50Ms),
    ms(peer.p50Ms),
    ms(ours.p99Ms),
    ms(peer.p99Ms),
    megabytes(memory.ours),
    megabytes(memory.peer),
    `${ours.failures} / ${peer.failures}`,
  ])
  return [
    describeRun(run),
    '',
    `### Lectern and Directus, with ${notes.toLocaleString('en')} notes`,
    '',
    table(head, rows),
    '',
    `Idle after the start Lectern had ${megabytes(idle.ours)} resident, the peer ${megabytes(idle.peer)}.`,
    '',
  ].join('\n')
}
