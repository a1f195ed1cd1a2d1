import type { PdfiumDocument } from '../pdfium/pdfium.ts'

/**
 * A reduced page: the mean colour of each block of 4 by 4 pixels, row by row. An edge that is drawn a fraction of a
 * pixel away hardly changes it.
 */
export type PageSample = Uint8Array

export type Similarity = 'same' | 'slightly' | 'clearly'

const blockSide = 4
/** Thresholds for the difference of a colour value, from 0 to 255. */
const visible = 16
const striking = 48
/** The maximum number of strikingly different blocks. A missing word of ten points has more. */
const maxStriking = 7
/** The maximum share of visibly different blocks. */
const maxVisible = 0.005

/**
 * Returns null when the page does not open.
 * @param size in points; a point becomes one pixel unless that exceeds `maxPixels`.
 */
export function samplePage(
  document: PdfiumDocument,
  page: number,
  [width, height]: [number, number],
  maxPixels: number,
): PageSample | null {
  const scale = Math.min(1, Math.sqrt(maxPixels / Math.max(1, width * height)))
  const toPixels = (side: number) => Math.min(maxPixels, Math.max(1, Math.round(side * scale)))
  const pixels = document.renderPage(page, { width: toPixels(width), height: toPixels(height) })
  return pixels && reduce(pixels, toPixels(width), toPixels(height))
}

function reduce(pixels: Uint8Array, width: number, height: number): PageSample {
  const columns = Math.ceil(width / blockSide)
  const blocks = columns * Math.ceil(height / blockSide)
  const sums = new Uint32Array(blocks * 3)
  const counts = new Uint32Array(blocks)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const block = Math.floor(y / blockSide) * columns + Math.floor(x / blockSide)
      const at = (y * width + x) * 4
      counts[block] = (counts[block] ?? 0) + 1
      for (let colour = 0; colour < 3; colour++)
        sums[block * 3 + colour] = (sums[block * 3 + colour] ?? 0) + (pixels[at + colour] ?? 0)
    }
  }
  return Uint8Array.from(sums, (sum, at) => sum / (counts[Math.floor(at / 3)] ?? 1))
}

/** Estimates how different two pages look to a reader who switches between them. */
export function compareSamples(one: PageSample, other: PageSample): Similarity {
  if (one.length !== other.length) return 'clearly'
  const blocks = one.length / 3
  let seen = 0
  let struck = 0
  for (let at = 0; at < one.length; at += 3) {
    let difference = 0
    for (let colour = at; colour < at + 3; colour++)
      difference = Math.max(difference, Math.abs((one[colour] ?? 0) - (other[colour] ?? 0)))
    if (difference > visible) seen++
    if (difference > striking) struck++
  }
  if (seen === 0) return 'same'
  const isClear = struck > Math.min(maxStriking, blocks / 2) || seen > Math.max(maxVisible * blocks, maxStriking)
  return isClear ? 'clearly' : 'slightly'
}
