import { hashText } from '../notes/card/course-hue.ts'

/** Strokes of a drawn page as SVG path data, in a box of 100 by 141.4 (A4). */
export type SheetDrawing = { lines: string; figure: string; marks: string }

const left = 13
const right = 87
const lineGap = 6.4
const top = 42
const bottom = 134

/**
 * A page of nobody's notes: the same seed always looks the same and no two quite alike. Paragraphs of text lines, now
 * and then a small figure, and one line marked with the highlighter.
 */
export function drawSheet(seed: string): SheetDrawing {
  const next = randomFrom(hashText(seed))
  const figureAt = next() < 0.6 ? 2 + Math.floor(next() * 4) : -1
  const markAt = 1 + Math.floor(next() * 5)
  const lines: string[] = []
  let figure = ''
  let marks = ''
  let y = top
  for (let row = 0; y < bottom; row++) {
    if (row === figureAt) {
      figure = drawFigure(next, y)
      y += 34
      continue
    }
    const endsParagraph = next() < 0.26
    const end = endsParagraph ? left + (right - left) * (0.3 + next() * 0.4) : right - next() * 5
    lines.push(`M${left} ${round(y)}H${round(end)}`)
    if (row >= markAt && marks === '')
      marks = `M${left} ${round(y)}H${round(left + (end - left) * (0.45 + next() * 0.5))}`
    y += endsParagraph ? lineGap * 1.7 : lineGap
  }
  return { lines: lines.join(''), figure, marks }
}

/** A curve over axes, a few bars, or a triangle: what a page of notes has in its margin. */
function drawFigure(next: () => number, y: number): string {
  const kind = Math.floor(next() * 3)
  const x = left + 8 + next() * 18
  const foot = round(y + 26)
  const at = (dx: number) => round(x + dx)
  if (kind === 0) {
    const peak = round(y + 2 + next() * 8)
    return `M${at(0)} ${round(y)}V${foot}H${at(44)}M${at(2)} ${round(y + 22)}C${at(14)} ${foot} ${at(16)} ${peak} ${at(26)} ${peak}S${at(36)} ${round(y + 20)} ${at(43)} ${round(y + 18)}`
  }
  if (kind === 1) {
    const bars = [6, 15, 24, 33].map((dx) => `M${at(dx)} ${foot}V${round(y + 4 + next() * 17)}`)
    return `M${at(0)} ${foot}H${at(40)}${bars.join('')}`
  }
  return `M${at(0)} ${foot}H${at(42)}L${at(6 + next() * 26)} ${round(y)}Z`
}

/** Numbers from 0 to 1 that follow from the seed alone (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const round = (value: number) => Math.round(value * 10) / 10
