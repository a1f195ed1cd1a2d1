import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { PageImage, PdfiumDocument } from '../../../../packages/pdfium/pdfium.ts'
import { withDocument } from '../inspect.ts'
import { tidyText } from '../read-text.ts'

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

/** Kept for the next page of the same file; like PDFium, each uploaded file has its own instance. */
let tesseract: { path: string; opened: Promise<Tesseract> } | null = null

/** Recognises the text in the image of a page. It may throw or never end on hostile bytes: run it in a worker. */
export async function ocrPage(
  bytes: Uint8Array,
  { path, index, languages }: { path: string; index: number; languages: string[] },
  maxHeapBytes: number,
): Promise<OcrPage | 'locked' | 'unreadable'> {
  const drawn = await withDocument(bytes, maxHeapBytes, (document) => renderPage(document, index))
  if (typeof drawn === 'string') return drawn
  const picture = drawn.picture && toGrey(drawn.picture)
  if (!picture || isBlank(picture)) return { text: '', words: [] }
  if (tesseract?.path !== path) tesseract = { path, opened: openTesseract(languages) }
  return toPage((await tesseract.opened).recognise(picture, drawn.dpi), picture)
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

/**
 * The engine of tesseract.js without its wrapper, which would start its own thread, and expects the data of all
 * languages in one folder.
 */
const require = createRequire(import.meta.url)
const lstmOnly = 1

/** Eight bits per pixel, row by row. */
type GreyPicture = { width: number; height: number; pixels: Uint8Array }
/** `box` is left, top, width and height in pixels; `confidence` is at most 100. */
type FoundWord = { text: string; confidence: number; box: [number, number, number, number] }

type Tesseract = {
  /** Returns the words by line. It may throw or never end on hostile images: run it in a worker. */
  recognise(picture: GreyPicture, dpi: number): FoundWord[][]
}

/** @param languages as named in the packages `@tesseract.js-data/…`; the first one reads what is alike in several. */
async function openTesseract(languages: string[]): Promise<Tesseract> {
  const start: TesseractCore = require('tesseract.js-core/tesseract-core-simd-lstm.js')
  const core = await start({ print() {}, printErr() {} })
  for (const language of languages) {
    const data = require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
    core.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(data)))
  }
  const api = new core.TessBaseAPI()
  if (api.Init(null, languages.join('+'), lstmOnly) !== 0) throw new Error('Couldn’t start Tesseract')
  return {
    recognise({ width, height, pixels }, dpi) {
      core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]))
      if (api.SetImageFile(1, 0) !== 0) throw new Error('Tesseract can’t read the image')
      api.SetVariable('user_defined_dpi', String(dpi))
      if (api.Recognize(null) !== 0) throw new Error('Tesseract can’t recognise the image')
      return readLines(api.GetTSVText(0))
    },
  }
}

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function readLines(tsv: string): FoundWord[][] {
  const lines = new Map<string, FoundWord[]>()
  for (const row of tsv.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] = row.split('\t')
    if (level !== '5') continue
    const name = [page, block, paragraph, line].join()
    const words = lines.get(name) ?? []
    words.push({
      text,
      confidence: Number(confidence),
      box: [Number(left), Number(top), Number(width), Number(height)],
    })
    lines.set(name, words)
  }
  return [...lines.values()]
}

/** The used part of `tesseract.js-core`, which has no types. Functions that return a number return 0 for success. */
type TesseractCore = (options: { print(line: string): void; printErr(line: string): void }) => Promise<{
  FS: { writeFile(path: string, data: Uint8Array): void }
  TessBaseAPI: new () => {
    Init(dataPath: null, languages: string, engine: number): number
    SetVariable(name: string, value: string): boolean
    /** Reads `/input`. */
    SetImageFile(exifOrientation: number, radians: number): number
    Recognize(monitor: null): number
    GetTSVText(page: number): string
  }
}>
