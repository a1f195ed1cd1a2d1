import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { parentPort } from 'node:worker_threads'
import { type AnonymousCopy, makeAnonymousCopy } from '../../server/pdf/anonymiser/anonymise.ts'
import { compareGlances, glanceAt, type Likeness } from '../../server/pdf/anonymiser/glance.ts'
import { PdfRefused } from '../../server/pdf/anonymiser/syntax/values.ts'
import { inspectPdf } from '../../server/pdf/inspect.ts'
import { pdfLimits } from '../../server/pdf/limits.ts'
import { createPdfium, type PdfiumDocument } from '../../server/pdf/pdfium/pdfium.ts'

const maxPages = 12
const maxPixels = 2_000_000
const limits = pdfLimits()

export type Outcome = {
  /** Whether it may be shared with a name. */
  admitted: string
  /** Why it may not be shared anonymously. */
  refused?: string
  pageCount?: number
  /** Of the processor. */
  milliseconds?: number
  /** Before and after. */
  bytes?: [number, number]
  /** Pages that became pictures. */
  drawn?: number[]
  /** By page number: those that look different or read differently. */
  looks?: Record<number, Likeness>
  texts?: number[]
  look?: Likeness
}

/** The pages to look at: all of a short file, spread over a long one. */
const choosePages = (count: number) =>
  Array.from({ length: Math.min(count, maxPages) }, (_, nth) => Math.floor((nth * count) / Math.min(count, maxPages)))

const readText = (file: PdfiumDocument, page: number) =>
  file
    .readCharacters(page)
    ?.map(({ codePoint }) => codePoint)
    .join(' ')

/** By PDFium at 72 pixels per inch. */
function compareLooks(before: PdfiumDocument, after: PdfiumDocument, page: number): Likeness {
  const [size, otherSize] = [before.measurePage(page), after.measurePage(page)]
  if (!isDeepStrictEqual(size, otherSize)) return 'clearly'
  const [one, other] = size ? [before, after].map((file) => glanceAt(file, page, size, maxPixels)) : []
  return one && other ? compareGlances(one, other) : one === other ? 'same' : 'clearly'
}

async function compare(path: string): Promise<Outcome> {
  const bytes = new Uint8Array(await readFile(path))
  const inspection = await inspectPdf(bytes, limits)
  const outcome: Outcome = { admitted: inspection.kind }
  if (inspection.kind === 'unreadable') return outcome
  const start = process.cpuUsage()
  let copy: AnonymousCopy
  try {
    copy = await makeAnonymousCopy(bytes, limits)
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error
    return { ...outcome, refused: error.message }
  }
  outcome.milliseconds = Math.round(process.cpuUsage(start).user / 1000)
  const before = (await createPdfium(1024 ** 3)).open(bytes)
  const after = (await createPdfium(1024 ** 3)).open(copy.bytes)
  if (typeof before === 'string' || typeof after === 'string') return { ...outcome, refused: 'copy does not open' }
  outcome.bytes = [bytes.length, copy.bytes.length]
  if (copy.drawnPages.length > 0) outcome.drawn = copy.drawnPages
  outcome.pageCount = before.pageCount
  outcome.looks = {}
  outcome.texts = []
  for (const page of choosePages(before.pageCount)) {
    const look = compareLooks(before, after, page)
    if (look !== 'same') outcome.looks[page + 1] = look
    if (readText(before, page) !== readText(after, page)) outcome.texts.push(page + 1)
  }
  const verdicts = Object.values(outcome.looks)
  outcome.look = verdicts.includes('clearly') ? 'clearly' : verdicts.length > 0 ? 'slightly' : 'same'
  return outcome
}

parentPort?.on('message', async (path: string) => {
  const outcome = await compare(path).catch(
    (error: unknown): Outcome => ({ admitted: 'unknown', refused: `${error}`.split('\n')[0] ?? '' }),
  )
  parentPort?.postMessage(outcome)
})
