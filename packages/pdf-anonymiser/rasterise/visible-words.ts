import type { Character } from '../../pdfium/pdfium.ts'
import type { Pixels } from './page-image.ts'
import { boxOf, findWords, type Word } from './words.ts'

type Box = Character['box']

/** Text with less contrast than this, from 0 to 255, is unreadable. */
const visibleContrast = 12

/**
 * Finds the words with visible content at their position. White text on white, clipped text, text covered by one colour
 * and text outside the page are left out; the invisible text of a scan is kept, because it lies over its image.
 * @param box the part of the page that the image shows.
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
