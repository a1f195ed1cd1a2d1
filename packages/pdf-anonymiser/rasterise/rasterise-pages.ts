import { deflateSync } from 'node:zlib'
import type { Character, PagePlace, PdfiumDocument } from '../../pdfium/pdfium.ts'
import type { AnonymiserLimits } from '../limits.ts'
import { shorten } from '../rules/basic.ts'
import { containsName, type NameMatcher, noNames } from '../rules/names.ts'
import { type PdfDict, PdfLimitError, PdfName, PdfRejectedError, PdfStream, type PdfValue } from '../syntax/values.ts'
import { formatValue, type PdfWriter } from '../syntax/write.ts'
import { makePicture, type Pixels } from './page-image.ts'
import { makeTextLayer } from './text-layer.ts'
import { boxOf, findWords, type Word } from './words.ts'

const pointsPerInch = 72
const maxSide = 20_000

/**
 * Replaces each page by an image with its visible text as an invisible layer. Signatures are left out, and so are
 * annotations in layers, because PDFium draws hidden ones too.
 * @param unwanted names to remove from a page's text, by page index.
 * @returns the page entries by page index.
 */
export async function rasterisePages(
  original: PdfiumDocument,
  indexes: number[],
  target: PdfWriter,
  limits: AnonymiserLimits,
  unwanted: ReadonlyMap<number, NameMatcher> = new Map(),
): Promise<Map<number, PdfDict>> {
  const perInch = chooseResolution(original, indexes, limits)
  const drawn = new Map<number, PdfDict>()
  let bytes = 0
  for (const index of indexes) {
    const { entries, size } = await drawPage(original, index, perInch, target, limits, unwanted.get(index))
    bytes += size
    if (bytes > limits.maxRewrittenBytes) throw new PdfLimitError('too much to draw')
    drawn.set(index, entries)
  }
  return drawn
}

/** Returns pixels per inch: fewer for many pages, and the same for the same pages on every machine. */
function chooseResolution(original: PdfiumDocument, indexes: number[], limits: AnonymiserLimits): number {
  let squareInches = 0
  for (const index of indexes) {
    const [width, height] = original.measurePage(index) ?? [0, 0]
    squareInches += Math.min(
      (width * height) / pointsPerInch ** 2,
      limits.maxDrawnPagePixels / limits.drawnPerInch ** 2,
    )
  }
  const perInch = Math.min(limits.drawnPerInch, Math.sqrt(limits.maxDrawnPixels / Math.max(squareInches, 1e-6)))
  if (perInch < limits.minDrawnPerInch) throw new PdfLimitError('too many pages to draw')
  return perInch
}

async function drawPage(
  original: PdfiumDocument,
  index: number,
  perInch: number,
  target: PdfWriter,
  limits: AnonymiserLimits,
  unwanted: NameMatcher = noNames,
): Promise<{ entries: PdfDict; size: number }> {
  original.removeAnnotations(index, ['signatures', 'layered'])
  const place = original.placePage(index)
  const characters = original.readCharacters(index)
  if (!place || !characters) throw new PdfRejectedError('a page does not open')
  const pixels = drawUpright(original, index, place, perInch, limits)
  const picture = await makePicture(pixels)
  const text = makeTextLayer(withoutNames(findVisibleWords(characters, place.box, pixels), unwanted), target)
  const box = place.box.map(shorten)
  const [left = 0, bottom = 0, right = 0, top = 0] = box
  const matrix = [right - left, 0, 0, top - bottom, left, bottom]
  const instructions = `q ${matrix.map(formatValue).join(' ')} cm/P Do Q\n${text?.instructions ?? ''}`
  const contents = new PdfStream(new Map([['Filter', new PdfName('FlateDecode')]]), deflateSync(instructions))
  const resources: PdfDict = new Map([['XObject', new Map([['P', target.add(picture)]])]])
  if (text) resources.set('Font', new Map([['T', text.font]]))
  const entries: PdfDict = new Map<string, PdfValue>([
    ['MediaBox', box],
    ['Resources', resources],
    ['Contents', target.add(contents)],
  ])
  if (place.quarterTurns !== 0) entries.set('Rotate', place.quarterTurns * 90)
  return { entries, size: picture.data.length + contents.data.length }
}

const withoutNames = (words: Word[], names: NameMatcher): Word[] =>
  words.filter(({ letters }) => !containsName(letters.map(({ text }) => text).join(''), names))

/** Renders the page in its own coordinates, without the rotation that readers apply. */
function drawUpright(
  original: PdfiumDocument,
  index: number,
  { box: [left, bottom, right, top], quarterTurns }: PagePlace,
  perInch: number,
  { maxDrawnPagePixels }: AnonymiserLimits,
): Pixels {
  const sides = [right - left, top - bottom].map((side) => (side * perInch) / pointsPerInch)
  const [across = 0, up = 0] = sides
  const scale = Math.min(1, Math.sqrt(maxDrawnPagePixels / (across * up)))
  const [width = 1, height = 1] = sides.map((side) => Math.min(maxSide, Math.max(1, Math.round(side * scale))))
  const bytes = original.renderPage(index, { width, height, turns: (4 - quarterTurns) % 4 })
  if (!bytes) throw new PdfRejectedError('a page does not open')
  return { width, height, bytes }
}

type Box = Character['box']

/** Text with less contrast than this, from 0 to 255, is unreadable. */
const visibleContrast = 12

/**
 * Finds the words with visible content at their position. White text on white, clipped text, text covered by one colour
 * and text outside the page are left out; the invisible text of a scan is kept, because it lies over its image.
 * @param box the part of the page that the image shows.
 */
function findVisibleWords(characters: Character[], box: Box, pixels: Pixels): Word[] {
  return findWords(characters).filter((word) => shows(boxOf(word), box, pixels))
}

function shows(word: Box, [left, bottom, right, top]: Box, { width, height, bytes }: Pixels): boolean {
  const [across, up] = [width / (right - left), height / (top - bottom)]
  const x = {
    from: clamp(Math.floor((word[0] - left) * across), width),
    to: clamp(Math.ceil((word[2] - left) * across), width),
  }
  const y = {
    from: clamp(Math.floor((top - word[3]) * up), height),
    to: clamp(Math.ceil((top - word[1]) * up), height),
  }
  const low = [255, 255, 255]
  const high = [0, 0, 0]
  for (let row = y.from; row < y.to; row++) {
    for (let column = x.from; column < x.to; column++) {
      for (let colour = 0; colour < 3; colour++) {
        const value = bytes[(row * width + column) * 4 + colour] ?? 0
        if (value < (low[colour] ?? 0)) low[colour] = value
        if (value > (high[colour] ?? 0)) high[colour] = value
        if ((high[colour] ?? 0) - (low[colour] ?? 0) > visibleContrast) return true
      }
    }
  }
  return false
}

const clamp = (value: number, max: number) => Math.min(Math.max(value, 0), max)
