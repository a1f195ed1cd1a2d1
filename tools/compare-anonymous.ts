import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { makeAnonymousCopy } from '../packages/pdf-anonymiser/anonymise.ts'
import { compareGlances, glanceAt, type Likeness } from '../packages/pdf-anonymiser/page-sample.ts'
import { PdfRefused } from '../packages/pdf-anonymiser/syntax/values.ts'
import { createPdfium, type PdfiumDocument } from '../packages/pdfium/pdfium.ts'
import { inspectPdf } from '../server/pdf/inspect.ts'
import { pdfLimits } from '../server/pdf/limits.ts'

/**
 * Anonymises a PDF, compares up to 12 of its pages with the original, and prints the result. To count those of a folder:
 * `find FOLDER -iname '*.pdf' -print0 | xargs -0 -n 1 timeout 300 node tools/compare-anonymous.ts | cut -f 2- | sort | uniq -c`
 */
const maxPages = 12
const maxPixels = 2_000_000
const pdfiumBytes = 1024 ** 3

const readText = (file: PdfiumDocument, page: number) => file.readCharacters(page)?.map(({ codePoint }) => codePoint)

function compareLooks(before: PdfiumDocument, after: PdfiumDocument, page: number): Likeness {
  const [size, otherSize] = [before.measurePage(page), after.measurePage(page)]
  if (!isDeepStrictEqual(size, otherSize)) return 'clearly'
  const [one, other] = size ? [before, after].map((file) => glanceAt(file, page, size, maxPixels)) : []
  return one && other ? compareGlances(one, other) : one === other ? 'same' : 'clearly'
}

async function compare(bytes: Uint8Array): Promise<string[]> {
  const { kind } = await inspectPdf(bytes, pdfLimits())
  if (kind === 'unreadable') return [kind]
  const copy = await makeAnonymousCopy(bytes, pdfLimits()).catch((error) => {
    if (error instanceof PdfRefused) return error
    throw error
  })
  if (copy instanceof Error) return [kind, `refused: ${copy.message}`]
  const [before, after] = [
    (await createPdfium(pdfiumBytes)).open(bytes),
    (await createPdfium(pdfiumBytes)).open(copy.bytes),
  ]
  if (typeof before === 'string' || typeof after === 'string') return [kind, 'refused: the copy does not open']
  const { pageCount } = before
  // All pages of a short file, and pages spread over a long one.
  const count = Math.min(pageCount, maxPages)
  const pages = Array.from({ length: count }, (_, index) => Math.floor((index * pageCount) / count))
  const looks = pages.map((page) => compareLooks(before, after, page))
  const isText = (page: number) => isDeepStrictEqual(readText(before, page), readText(after, page))
  return [
    kind,
    `looks ${looks.includes('clearly') ? 'clearly different' : looks.includes('slightly') ? 'slightly different' : 'the same'}`,
    `text ${pages.every(isText) ? 'the same' : 'different'}`,
    `${copy.drawnPages.length === pageCount ? 'all' : copy.drawnPages.length > 0 ? 'some' : 'no'} pages rasterised`,
  ]
}

const [path = ''] = process.argv.slice(2)
process.stdout.write(`${[path, ...(await compare(new Uint8Array(await readFile(path))))].join('\t')}\n`)
