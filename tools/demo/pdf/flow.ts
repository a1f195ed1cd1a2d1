import { type Canvas, createCanvas } from './canvas.ts'

export type PageSetup = {
  /** Points, as is everything here. */
  width: number
  height: number
  margin: { top: number; right: number; bottom: number; left: number }
  columns?: number
  columnGap?: number
  /** Draws what every page has, below its text. @param number from 1. */
  decorate(canvas: Canvas, number: number): void
}

/** A cursor that goes down columns and on to new pages. */
export type Flow = {
  readonly canvas: Canvas
  /** Left edge and width of the column, and the height the cursor is at. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly pageNumber: number
  /** True once more than `maxPages` were begun; what is drawn then is thrown away. */
  readonly isFull: boolean
  /** True at the top of a column. */
  readonly isAtTop: boolean
  /** Goes on to the next column or page unless this much room is left. */
  need(height: number): void
  down(height: number): void
  nextPage(): void
  /** Keeps the upper part of this page, over all columns. @returns its frame. */
  takeTop(height: number): { x: number; y: number; width: number; height: number }
  /** The page descriptions, `maxPages` at most. */
  pages(): string[]
}

export function createFlow(setup: PageSetup, maxPages: number): Flow {
  const { margin, columns = 1, columnGap = 18 } = setup
  const innerWidth = setup.width - margin.left - margin.right
  const width = (innerWidth - columnGap * (columns - 1)) / columns
  const pages: Canvas[] = []
  let canvas = createCanvas()
  let column = 0
  let top = 0
  let y = 0

  function nextPage() {
    canvas = createCanvas()
    pages.push(canvas)
    setup.decorate(canvas, pages.length)
    column = 0
    top = setup.height - margin.top
    y = top
  }
  nextPage()

  return {
    get canvas() {
      return canvas
    },
    get x() {
      return margin.left + column * (width + columnGap)
    },
    get y() {
      return y
    },
    get pageNumber() {
      return pages.length
    },
    get isFull() {
      return pages.length > maxPages
    },
    get isAtTop() {
      return y === top
    },
    width,
    need(height) {
      if (y - height >= margin.bottom || y === top) return
      if (column + 1 < columns) {
        column++
        y = top
      } else nextPage()
    },
    down(height) {
      y -= height
    },
    nextPage,
    takeTop(height) {
      const frame = { x: margin.left, y: y - height, width: innerWidth, height }
      top = y - height
      y = top
      return frame
    },
    pages: () => pages.slice(0, maxPages).map(String),
  }
}
