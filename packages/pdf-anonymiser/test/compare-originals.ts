import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { createPdfium, type PdfiumDocument } from '../../pdfium/pdfium.ts'
import { makeAnonymousCopy } from '../anonymise.ts'
import { compareSamples, type Similarity, samplePage } from '../page-sample.ts'
import { PdfRejectedError } from '../syntax/values.ts'

/**
 * Anonymises a PDF, compares up to 12 of its pages with the original, and prints the result. For a whole folder:
 * `find FOLDER -iname '*.pdf' -print0 | xargs -0 -n 1 timeout 300 npx node packages/pdf-anonymiser/test/compare-originals.ts | cut -f 2- | sort | uniq -c`
 */
const maxPages = 12
const maxPixels = 2_000_000
const pdfiumBytes = 1024 ** 3

const readText = (file: PdfiumDocument, page: number) => file.readCharacters(page)?.map(({ codePoint }) => codePoint)

function compareLooks(before: PdfiumDocument, after: PdfiumDocument, page: number): Similarity {
  const [size, otherSize] = [before.measurePage(page), after.measurePage(page)]
  if (!isDeepStrictEqual(size, otherSize)) return 'clearly'
  const [one, other] = size ? [before, after].map((file) => samplePage(file, page, size, maxPixels)) : []
  return one && other ? compareSamples(one, other) : one === other ? 'same' : 'clearly'
}

async function compare(bytes: Uint8Array): Promise<string[]> {
  const before = (await createPdfium(pdfiumBytes)).open(bytes)
  if (typeof before === 'string') return [before]
  const copy = await makeAnonymousCopy(bytes).catch((error) => {
    if (error instanceof PdfRejectedError) return error
    throw error
  })
  if (copy instanceof Error) return [`refused: ${copy.message}`]
  const after = (await createPdfium(pdfiumBytes)).open(copy.bytes)
  if (typeof after === 'string') return ['refused: the copy does not open']
  const { pageCount } = before
  // All pages of a short file are compared, or pages spread over a long one.
  const count = Math.min(pageCount, maxPages)
  const pages = Array.from({ length: count }, (_, index) => Math.floor((index * pageCount) / count))
  const looks = pages.map((page) => compareLooks(before, after, page))
  const isText = (page: number) => isDeepStrictEqual(readText(before, page), readText(after, page))
  return [
    `looks ${looks.includes('clearly') ? 'clearly different' : looks.includes('slightly') ? 'slightly different' : 'the same'}`,
    `text ${pages.every(isText) ? 'the same' : 'different'}`,
    `${copy.drawnPages.length === pageCount ? 'all' : copy.drawnPages.length > 0 ? 'some' : 'no'} pages rasterised`,
  ]
}

const [path = ''] = process.argv.slice(2)
process.stdout.write(`${[path, ...(await compare(new Uint8Array(await readFile(path))))].join('\t')}\n`)
