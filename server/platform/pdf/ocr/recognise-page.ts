import type { PageImage, PdfiumDocument } from '../../../../packages/pdfium/pdfium.ts'
import { withDocument } from '../inspect.ts'
import { tidyText } from '../read-text.ts'
import type { FoundWord, GreyPicture, Tesseract } from './tesseract.ts'

/** `box` is left, top, width and height, as fractions of the page as it is shown. */
export type RecognisedWord = { text: string; box: [number, number, number, number] }
export type OcrPage = { text: string; words: RecognisedWord[] }

const dpi = 200
const pointsPerInch = 72
/** More than an A3 sheet has; larger pages are rendered at a lower resolution. */
const maxPixels = 12_000_000
const maxRatio = 20
/** A scan of an empty sheet is not of one colour alone. */
const maxNoise = 24
/** Out of 100. Results below it are drawings and dirt mistaken for words. */
const minConfidence = 40
const maxWords = 5_000

/** Recognises the text in the image of a page. It may throw or never end on hostile bytes: run it in a worker. */
export async function ocrPage(
  bytes: Uint8Array,
  index: number,
  maxHeapBytes: number,
  openTesseract: () => Promise<Tesseract>,
): Promise<OcrPage | 'locked' | 'unreadable'> {
  const drawn = await withDocument(bytes, maxHeapBytes, (document) => renderPage(document, index))
  if (typeof drawn === 'string') return drawn
  const picture = drawn.picture && toGrey(drawn.picture)
  if (!picture || isBlank(picture)) return { text: '', words: [] }
  const lines = (await openTesseract()).recognise(picture, drawn.dpi)
  return toPage(lines, picture)
}

/** @returns a null picture of a damaged page, so that the other pages are still recognised. */
function renderPage(document: PdfiumDocument, index: number): { picture: PageImage | null; dpi: number } {
  const [width = 0, height = 0] = document.measurePage(index) ?? []
  const scale = Math.min(dpi / pointsPerInch, Math.sqrt(maxPixels / (width * height)))
  const size = { width: Math.max(1, Math.round(width * scale)), maxRatio }
  const picture = Number.isFinite(scale) ? document.renderImage(index, size) : null
  return { picture, dpi: Math.round(scale * pointsPerInch) }
}

function toGrey({ width, height, pixels }: PageImage): GreyPicture {
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) {
    const [red = 0, green = 0, blue = 0] = [pixels[4 * at], pixels[4 * at + 1], pixels[4 * at + 2]]
    grey[at] = Math.round(0.3 * red + 0.59 * green + 0.11 * blue)
  }
  return { width, height, pixels: grey }
}

const isBlank = ({ pixels }: GreyPicture) => pixels.every((pixel) => Math.abs(pixel - (pixels[0] ?? 0)) <= maxNoise)

function toPage(lines: FoundWord[][], { width, height }: GreyPicture): OcrPage {
  const part = (pixels: number, of: number) => Math.round((10_000 * pixels) / of) / 10_000
  let left = maxWords
  const words: RecognisedWord[] = []
  const texts: string[] = []
  for (const line of lines) {
    const read = line
      .filter(({ confidence }) => confidence >= minConfidence)
      .map(({ text, box: [x, y, w, h] }): RecognisedWord => {
        return { text: tidyText(text), box: [part(x, width), part(y, height), part(w, width), part(h, height)] }
      })
      .filter(({ text }) => text !== '')
      .slice(0, left)
    left -= read.length
    words.push(...read)
    if (read.length > 0) texts.push(read.map(({ text }) => text).join(' '))
  }
  // Words that are hyphenated at the end of a line are joined.
  return { text: texts.join('\n').replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, ''), words }
}
