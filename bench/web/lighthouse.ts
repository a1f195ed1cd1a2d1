import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../median.ts'

const lighthouse = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url))

export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const metrics = {
  first: 'first-contentful-paint',
  largest: 'largest-contentful-paint',
  blocking: 'total-blocking-time',
  shift: 'cumulative-layout-shift',
} as const

/** Medians of the runs: scores of 0 to 100; `first`, `largest` and `blocking` in milliseconds, `shift` as CLS. */
export type PageAudit = {
  path: string
  scores: Record<(typeof categories)[number], number>
  metrics: Record<keyof typeof metrics, number>
  /** The titles of what cost points in accessibility, best practices or SEO in any run. */
  faults: string[]
}

type AuditOptions = { url: string; path: string; runs: number; port: number }
type Result = {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>
}

/**
 * Lighthouse's own mobile preset on the browser that listens on `port`, whose cookies and storage stay as they are: who
 * is signed in there is signed in here.
 */
export async function auditPage({ url, path, runs, port }: AuditOptions): Promise<PageAudit> {
  const results: Result[] = []
  for (let run = 0; run < runs; run++) results.push(await runLighthouse(url, port))
  const score = (name: string) => Math.round(median(results.map((result) => result.categories[name]?.score ?? 0)) * 100)
  const metric = (id: string) => median(results.map((result) => result.audits[id]?.numericValue ?? Number.NaN))
  return {
    path,
    scores: fromKeys(categories, score),
    metrics: fromKeys(Object.keys(metrics) as (keyof typeof metrics)[], (name) => metric(metrics[name])),
    faults: [...new Set(results.flatMap(faultsOf))],
  }
}

const attempts = 4

/** Its own mistakes, of which it has some on a busy machine, are not what it says of the page: it is asked again. */
async function runLighthouse(url: string, port: number): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryLighthouse(url, port)
    } catch (failure) {
      const { stderr } = failure as { stderr?: string }
      if (attempt === attempts || !stderr?.includes('Runtime error')) throw failure
      process.stderr.write(stderr)
    }
  }
}

async function tryLighthouse(url: string, port: number): Promise<Result> {
  const options = [`--port=${port}`, '--disable-storage-reset', '--output=json', '--quiet']
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [lighthouse, url, ...options, `--only-categories=${categories.join(',')}`, '--no-enable-error-reporting'],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  return JSON.parse(stdout)
}

function faultsOf({ categories: found, audits }: Result): string[] {
  return Object.entries(found)
    .filter(([name]) => name !== 'performance')
    .flatMap(([, { auditRefs }]) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => audits[id]?.title ?? id)
}

const fromKeys = <K extends string>(keys: readonly K[], value: (key: K) => number) =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, number>
