import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Outcome } from './compare-anonymous/worker.ts'

/**
 * What becomes of real files that are shared anonymously: `node tools/compare-anonymous.ts RESULTS FOLDER…`. A line of
 * JSON for each PDF is added to RESULTS, files that have one are passed over; the sums are printed.
 */

/** Generous: a machine may be busy. */
const timeoutMs = 300_000
const [results = '', ...folders] = process.argv.slice(2)

const known = new Map<string, Outcome>()
for (const line of existsSync(results) ? readFileSync(results, 'utf8').split('\n') : []) {
  if (!line) continue
  const { path, ...outcome } = JSON.parse(line)
  known.set(path, outcome)
}

function startWorker(): Worker {
  const url = new URL('./compare-anonymous/worker.ts', import.meta.url)
  return new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 } })
}

let worker = startWorker()
async function compare(path: string): Promise<Outcome> {
  worker.postMessage(path)
  try {
    const [outcome] = await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) })
    return outcome
  } catch (error) {
    await worker.terminate()
    worker = startWorker()
    return { admitted: 'unknown', refused: error instanceof Error ? error.name : 'crash' }
  }
}

for (const folder of folders) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.pdf$/i.test(name))
  for (const path of files.sort().map((name) => join(folder, name))) {
    if (known.has(path)) continue
    const outcome = await compare(path)
    known.set(path, outcome)
    appendFileSync(results, `${JSON.stringify({ path, ...outcome })}\n`)
  }
}
await worker.terminate()

function count(of: (outcome: Outcome) => string | undefined): void {
  const counts = new Map<string, number>()
  for (const outcome of known.values()) {
    const what = of(outcome)
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  const rows = [...counts].sort(([, one], [, other]) => other - one)
  process.stdout.write(`\n${rows.map(([what, files]) => `${String(files).padStart(6)}  ${what}\n`).join('')}`)
}

count(({ admitted }) => `by name: ${admitted}`)
count(({ admitted, refused }) => (admitted === 'unreadable' ? undefined : `anonymously: ${refused ?? 'made'}`))
count(({ look }) => look && `look: ${look}`)
count(({ look, texts }) => look && `text: ${texts?.length ? 'different' : 'same'}`)
count(({ drawn, pageCount }) => drawn && `pictures: ${drawn.length === pageCount ? 'all pages' : 'some pages'}`)
