import type { Heading, PdfiumDocument } from '../../../packages/pdfium/pdfium.ts'
import { withDocument } from './inspect.ts'

/** `pages` are in order and include those without text. `isCut`: the file contains more text than is kept. */
export type PdfText = { pageCount: number; pages: string[]; outline: Heading[]; isCut: boolean }

const maxPages = 10_000
const maxCharactersOfPage = 100_000
/** In UTF-8, the text of a thick book. The database writes several times as much for its index. */
const maxTextBytes = 2 * 2 ** 20
const maxHeadings = 5_000

/** Reads the text page by page. It may throw or never end on hostile bytes: run it in a worker. */
export const readPdfText = (bytes: Uint8Array, maxHeapBytes: number): Promise<PdfText | 'locked' | 'unreadable'> =>
  withDocument(bytes, maxHeapBytes, readDocument)

function readDocument(document: PdfiumDocument): PdfText {
  const pages: string[] = []
  let leftBytes = maxTextBytes
  let isCut = document.pageCount > maxPages
  for (let index = 0; index < Math.min(document.pageCount, maxPages); index++) {
    // A damaged page has no text; the others still do.
    const text = tidyText(document.readText(index, maxCharactersOfPage) ?? '')
    const bytes = Buffer.from(text)
    isCut ||= bytes.length > leftBytes
    // This removes the rest of a character that was cut in two.
    pages.push(bytes.length > leftBytes ? bytes.toString('utf8', 0, leftBytes).replace(/\ufffd$/, '') : text)
    leftBytes = Math.max(0, leftBytes - bytes.length)
    if (leftBytes === 0 && isCut) break
  }
  while (pages.length < Math.min(document.pageCount, maxPages)) pages.push('')
  const outline = document.readOutline(maxHeadings).map((heading) => ({ ...heading, title: tidyLine(heading.title) }))
  return {
    pageCount: document.pageCount,
    isCut,
    pages: joinWords(pages),
    outline: outline.filter(({ title }) => title !== ''),
  }
}

/** PDFium's character for a hyphen at the end of a line. */
const divided = /(?<=([\p{L}\p{N}]+))\ufffe\s*(?=([\p{L}\p{N}]+))/gu

/** Looks for a word only where one begins, because at each of its letters that would take quadratic time. */
const dividedWord = /(?:(?<![\p{L}\p{N}])[\p{L}\p{N}]+)?\ufffe\s*[\p{L}\p{N}]*/gu

/**
 * Joins words that the end of a line divides, as the rest of the file writes them: “founda-tion” becomes whole,
 * “resource-allocation” keeps its hyphen. A word that occurs nowhere else keeps hyphen and line break, and search finds
 * both forms.
 */
export function joinWords(pages: string[]): string[] {
  if (!pages.some((text) => /\ufffe/.test(text))) return pages
  const whole = pages.map((text) => text.replace(dividedWord, ' ').toLowerCase())
  const words = new Set(whole.flatMap((text) => text.match(/[\p{L}\p{N}]+/gu) ?? []))
  const has = (word: string) => words.has(word.toLowerCase())
  return pages.map((text) =>
    text
      .replace(divided, (_, before: string, after: string) =>
        has(before + after) ? '' : has(before) && has(after) ? '-' : '-\n',
      )
      .replace(/\ufffe\s*/g, ''),
  )
}

/**
 * Removes non-characters, direction controls, and characters that no database stores. Thai text of Chromium is
 * repaired: PDFium repeats a cluster around the character behind it.
 */
export function tidyText(text: string): string {
  return text
    .replaceAll('\u0002', '\ufffe')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/([ก-ฮ][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]+)([ก-ฮ])\1 ?/gu, '$1$2')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\uffff]/gu, (found) => (found === '\n' ? '\n' : ''))
    .trim()
}

const tidyLine = (text: string) => (joinWords([tidyText(text)])[0] ?? '').replaceAll('\n', ' ')
