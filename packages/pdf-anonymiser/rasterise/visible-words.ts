import type { Character } from '../../pdfium/pdfium.ts'
import type { Pixels } from './page-image.ts'
import { boxOf, findWords, type Word } from './words.ts'

type Box = Character['box']

/** Of 255: fainter than this nobody reads. */
const visibleContrast = 12

/**
 * The words of a page under which there is something to see. What is white on white, clipped, covered by one colour or
 * beside the page stays out; the invisible text of a scan lies over its picture.
 * @param box what the picture shows of the page.
 */
export function findVisibleWords(characters: Character[], box: Box, pixels: Pixels): Word[] {
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
