import { availableParallelism, cpus, loadavg } from 'node:os'
import { median } from '../median.ts'
import type { Interaction } from './interactions.ts'
import type { PageAudit } from './lighthouse.ts'
import type { Footprint } from './memory.ts'

type WebReport = {
  runs: number
  loadAtStart: number
  audits: PageAudit[]
  interactions: Interaction[]
  footprints: Footprint[]
  cards: number
}

/** The run as Markdown. */
export function writeWebReport({ runs, loadAtStart, audits, interactions, footprints, cards }: WebReport): string {
  const load = `load average ${loadAtStart.toFixed(1)} at the start and ${loadavg()[0]?.toFixed(1)} at the end`
  const lines = [
    `\`npm run bench:web\`, ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${availableParallelism()} × ${cpus()[0]?.model}, ${load}.`,
  ]
  if (audits.length > 0) {
    lines.push(
      '',
      `### Lighthouse, mobile preset, median of ${runs}`,
      '',
      '| Page | Performance | Accessibility | Best practices | SEO | First paint | Largest paint | Blocked | CLS |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      ...audits.map(({ path, scores, metrics }) =>
        [
          '',
          ` \`${path}\` `,
          ...Object.values(scores).map((score) => ` ${score} `),
          ` ${(metrics.first / 1000).toFixed(2)} s `,
          ` ${(metrics.largest / 1000).toFixed(2)} s `,
          ` ${metrics.blocking.toFixed(0)} ms `,
          ` ${metrics.shift.toFixed(3)} `,
          '',
        ].join('|'),
      ),
      ...audits.flatMap(({ path, faults }) => faults.map((fault) => `\n\`${path}\`: ${fault}`)),
    )
  }
  if (interactions.length > 0) {
    lines.push(
      '',
      `### To the next paint, with ${cards} cards and the processor slowed down four times`,
      '',
      '| Interaction | Median | Longest | Times |',
      '| --- | ---: | ---: | ---: |',
      ...interactions.map(
        ({ name, durationsMs }) =>
          `| ${name} | ${median(durationsMs)} ms | ${Math.max(...durationsMs)} ms | ${durationsMs.length} |`,
      ),
    )
  }
  if (footprints.length > 0) {
    lines.push(
      '',
      '### Memory of `/browse` as more is loaded, after a collection',
      '',
      '| Load-mores | Cards | JavaScript heap | DOM nodes |',
      '| ---: | ---: | ---: | ---: |',
      ...footprints.map(
        ({ loadMores, cards, heapBytes, nodes }) =>
          `| ${loadMores} | ${cards} | ${(heapBytes / 1e6).toFixed(1)} MB | ${nodes} |`,
      ),
    )
  }
  return `${lines.join('\n')}\n`
}
