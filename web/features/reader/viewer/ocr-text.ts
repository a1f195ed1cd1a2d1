import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { getOcrText } from '../../../../packages/contract/reading-progress.endpoints.ts'
import type { OcrText } from '../../../../packages/contract/reading-progress.ts'
import { api } from '../../../platform/api/client.ts'

type Word = OcrText['words'][number]
type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>

/**
 * Adds the server's OCR words to pages without text, as if the file contained them, so that selecting, finding and
 * highlighting work unchanged.
 */
export function injectOcrText(document: PDFDocumentProxy, noteId: string): void {
  const lent = new WeakSet<PDFPageProxy>()
  const getPage = document.getPage.bind(document)
  document.getPage = async (number) => {
    const page = await getPage(number)
    if (!lent.has(page)) lendTo(page, noteId)
    lent.add(page)
    return page
  }
}

function lendTo(page: PDFPageProxy, noteId: string): void {
  const streamOwnText = page.streamTextContent.bind(page)
  page.streamTextContent = (options) => {
    let hasText = false
    const addWords = new TransformStream<TextContent, TextContent>({
      transform(part, stream) {
        hasText ||= part.items.some((item) => 'str' in item && item.str.trim() !== '')
        stream.enqueue(part)
      },
      async flush(stream) {
        if (hasText) return
        const asked = { params: { id: noteId }, query: { page: String(page.pageNumber) } }
        // Without words the page stays an image.
        const { words } = await api.call(getOcrText, asked).catch(() => ({ words: [] }))
        if (words.length > 0) stream.enqueue(toTextContent(page, words))
      },
    })
    return streamOwnText(options).pipeThrough(addWords)
  }
}

const fontName = 'recognised'
/** The share of a line's height below the baseline, as pdf.js defines it. */
const descent = 0.2

function toTextContent(page: PDFPageProxy, words: Word[]): TextContent {
  const viewport = page.getViewport({ scale: 1 })
  const { width, height } = viewport
  const items = toLines(words).flatMap((line) => {
    const top = Math.min(...line.map(({ box }) => box[1])) * height
    const bottom = Math.max(...line.map(({ box }) => box[1] + box[3])) * height
    return line.map(({ text, box }, index) => {
      const next = line[index + 1]
      const left = box[0] * width
      const right = (next ? next.box[0] : box[0] + box[2]) * width
      // In the coordinates of the displayed page, which may be rotated: one point along the line, and one up.
      const foot = bottom - descent * (bottom - top)
      const [x, y] = viewport.convertToPdfPoint(left, foot) as [number, number]
      const [alongX, alongY] = viewport.convertToPdfPoint(left + 1, foot) as [number, number]
      const [upX, upY] = viewport.convertToPdfPoint(left, foot - 1) as [number, number]
      const size = bottom - top
      return {
        str: next ? `${text} ` : text,
        dir: 'ltr',
        width: right - left,
        height: size,
        transform: [size * (alongX - x), size * (alongY - y), size * (upX - x), size * (upY - y), x, y],
        fontName,
        hasEOL: !next,
      }
    })
  })
  const style = { ascent: 1 - descent, descent: -descent, vertical: false, fontFamily: 'sans-serif' }
  return { items, styles: { [fontName]: style }, lang: null }
}

/** A word begins a new line if it is left of the previous word or below it. */
function toLines(words: Word[]): Word[][] {
  const lines: Word[][] = []
  for (const word of words) {
    const line = lines.at(-1)
    const last = line?.at(-1)
    const goesOn = last && word.box[0] > last.box[0] && word.box[1] < last.box[1] + last.box[3]
    if (line && goesOn) line.push(word)
    else lines.push([word])
  }
  return lines
}
