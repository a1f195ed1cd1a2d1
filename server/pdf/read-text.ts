import type { Heading } from './pdfium/outline.ts'
import { type Pdfium, withPdfium } from './pdfium/pdfium.ts'

/** The pages in order, those without text too. `isCut`: the file says more than is kept. */
export type PdfText = { pageCount: number; pages: string[]; outline: Heading[]; isCut: boolean }

const maxPages = 10_000
const maxCharactersOfPage = 100_000
/** In UTF-8: a thick book. The database writes several times as much for its index. */
const maxTextBytes = 2 * 2 ** 20
const maxHeadings = 5_000

/** What the file says, page by page. May throw or never end on hostile bytes: run it in a worker. */
export const readPdfText = (bytes: Uint8Array, maxHeapBytes: number): Promise<PdfText | 'locked' | 'unreadable'> =>
  withPdfium(maxHeapBytes, (pdfium) => readWith(pdfium, bytes))

function readWith(pdfium: Pdfium, bytes: Uint8Array): PdfText | 'locked' | 'unreadable' {
  const document = pdfium.open(bytes)
  if (typeof document === 'string') return document
  const pages: string[] = []
  let leftBytes = maxTextBytes
  let isCut = document.pageCount > maxPages
  for (let index = 0; index < Math.min(document.pageCount, maxPages); index++) {
    // A damaged page says nothing; the others still do.
    const text = tidyText(document.readText(index, maxCharactersOfPage) ?? '')
    const bytes = Buffer.from(text)
    isCut ||= bytes.length > leftBytes
    // What is left of a character that was cut in two is left out.
    pages.push(bytes.length > leftBytes ? bytes.toString('utf8', 0, leftBytes).replace(/\ufffd$/, '') : text)
    leftBytes = Math.max(0, leftBytes - bytes.length)
    if (leftBytes === 0 && isCut) break
  }
  while (pages.length < Math.min(document.pageCount, maxPages)) pages.push('')
  const outline = document.readOutline(maxHeadings).map((heading) => ({ ...heading, title: tidyLine(heading.title) }))
  return { pageCount: document.pageCount, isCut, pages, outline: outline.filter(({ title }) => title !== '') }
}

/**
 * Words as they are read: without what stands for no character, what turns the direction of the text around, and what
 * no database keeps; words that were divided at the end of a line are whole (PDFium marks their hyphens).
 */
export function tidyText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: finding it is the point
      .replace(/[\u0002\ufffe]\s*/g, '')
      .replace(/\r\n?/g, '\n')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\uffff]/gu, (found) => (found === '\n' ? '\n' : ''))
      .trim()
  )
}

const tidyLine = (text: string) => tidyText(text).replaceAll('\n', ' ')
