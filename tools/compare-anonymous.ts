import { once } from 'node:events'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { makeAnonymousCopy } from '../server/pdf/anonymiser/anonymise.ts'
import { compareGlances, glanceAt, type Likeness } from '../server/pdf/anonymiser/glance.ts'
import { PdfRefused } from '../server/pdf/anonymiser/syntax/values.ts'
import { inspectPdf } from '../server/pdf/inspect.ts'
import { pdfLimits } from '../server/pdf/limits.ts'
import { createPdfium, type PdfiumDocument } from '../server/pdf/pdfium/pdfium.ts'

/**
 * `node tools/compare-anonymous.ts RESULTS FOLDER…` anonymises every PDF of the folders and compares up to 12 pages of each with
 * the original. It appends a line of JSON for each file to RESULTS, leaves out files that have one, and prints the totals.
 */
type Outcome = {
  /** Whether it may be shared by name. */
  admitted: string
  /** Why it cannot be shared anonymously. */
  refused?: string
  pageCount?: number
  cpuMs?: number
  bytes?: { before: number; after: number }
  rasterisedPages?: number[]
  look?: Likeness
  /** Numbers of pages that look or read differently. */
  differentLooks?: number[]
  differentTexts?: number[]
}

const timeoutMs = 300_000
const maxPages = 12
const maxPixels = 2_000_000
const pdfiumBytes = 1024 ** 3

const readText = (file: PdfiumDocument, page: number) => JSON.stringify(file.readCharacters(page)?.map(getCodePoint))
const getCodePoint = ({ codePoint }: { codePoint: number }) => codePoint

function compareLooks(before: PdfiumDocument, after: PdfiumDocument, page: number): Likeness {
  const [size, otherSize] = [before.measurePage(page), after.measurePage(page)]
  if (!isDeepStrictEqual(size, otherSize)) return 'clearly'
  const [one, other] = size ? [before, after].map((file) => glanceAt(file, page, size, maxPixels)) : []
  return one && other ? compareGlances(one, other) : one === other ? 'same' : 'clearly'
}

async function compare(path: string): Promise<Outcome> {
  const bytes = new Uint8Array(await readFile(path))
  const { kind: admitted } = await inspectPdf(bytes, pdfLimits())
  if (admitted === 'unreadable') return { admitted }
  const start = process.cpuUsage()
  const copy = await makeAnonymousCopy(bytes, pdfLimits()).catch((error) => {
    if (error instanceof PdfRefused) return error
    throw error
  })
  if (copy instanceof Error) return { admitted, refused: copy.message }
  const cpuMs = Math.round(process.cpuUsage(start).user / 1000)
  const before = (await createPdfium(pdfiumBytes)).open(bytes)
  const after = (await createPdfium(pdfiumBytes)).open(copy.bytes)
  if (typeof before === 'string' || typeof after === 'string') return { admitted, refused: 'copy does not open' }
  const { pageCount } = before
  // All pages of a short file, and pages spread over a long one.
  const count = Math.min(pageCount, maxPages)
  const pages = Array.from({ length: count }, (_, index) => Math.floor((index * pageCount) / count))
  const looks = pages.map((page) => compareLooks(before, after, page))
  return {
    admitted,
    pageCount,
    cpuMs,
    bytes: { before: bytes.length, after: copy.bytes.length },
    rasterisedPages: copy.drawnPages,
    look: looks.includes('clearly') ? 'clearly' : looks.every((look) => look === 'same') ? 'same' : 'slightly',
    differentLooks: pages.filter((_, index) => looks[index] !== 'same').map((page) => page + 1),
    differentTexts: pages.filter((page) => readText(before, page) !== readText(after, page)).map((page) => page + 1),
  }
}

/** A worker, because a file can take too much memory or time. */
const startWorker = () =>
  new Worker(new URL(import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 } })

async function compareAll(results: string, folders: string[]): Promise<void> {
  const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : []
  const outcomes = new Map<string, Outcome>(
    lines.map((line) => JSON.parse(line)).map(({ path, ...one }) => [path, one]),
  )
  let worker = startWorker()
  const paths = folders.flatMap((folder) => globSync(join(folder, '**/*.{pdf,PDF}')))
  for (const path of paths.filter((path) => !outcomes.has(path))) {
    worker.postMessage(path)
    const outcome: Outcome = await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) }).then(
      ([message]) => message,
      async (error) => {
        await worker.terminate()
        worker = startWorker()
        return { admitted: 'unknown', refused: `${error}`.split('\n')[0] }
      },
    )
    outcomes.set(path, outcome)
    appendFileSync(results, `${JSON.stringify({ path, ...outcome })}\n`)
  }
  await worker.terminate()
  for (const describe of [
    ({ admitted }: Outcome) => `by name: ${admitted}`,
    ({ admitted, refused }: Outcome) => admitted !== 'unreadable' && `anonymously: ${refused ?? 'made'}`,
    ({ look }: Outcome) => look && `look: ${look}`,
    ({ look, differentTexts }: Outcome) => look && `text: ${differentTexts?.length ? 'different' : 'same'}`,
    ({ rasterisedPages: { length } = [], pageCount }: Outcome) =>
      length > 0 && `rasterised: ${length === pageCount ? 'all pages' : 'some pages'}`,
  ]) {
    const groups = Map.groupBy([...outcomes.values()], describe)
    for (const [text, { length }] of groups) if (text) process.stdout.write(`${String(length).padStart(6)}  ${text}\n`)
  }
}

if (isMainThread) await compareAll(process.argv[2] ?? '', process.argv.slice(3))
else parentPort?.on('message', async (path: string) => parentPort?.postMessage(await compare(path)))
