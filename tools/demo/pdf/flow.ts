import { breakLines, type Content, type Doc, drawLine, type Type, write } from './text.ts'

export type PageSetup = {
  /** Points, as is everything here; y grows downwards. */
  margin: { top: number; right: number; bottom: number; left: number }
  columns?: number
  columnGap?: number
  maxPages: number
  /** Draws what every page has, below its text. @param number from 1. */
  decorate(number: number): void
}

export type ParagraphOptions = Type & {
  /** From baseline to baseline. */
  leading: number
  align?: 'left' | 'justify' | 'center'
  /** From the left edge of the column. */
  indent?: number
  rightIndent?: number
  /** Stands in the indent of the first line: a bullet or a number. */
  marker?: string
  markerColor?: string
  /** How much of the leading lies above the baseline. */
  rise?: number
}

/** Ends the drawing of a document that has all the pages it may have. */
export class PagesUsedUp extends Error {}

/** A cursor that goes down columns and on to new pages. */
export class Flow {
  readonly doc: Doc
  readonly width: number
  /** The left edge of the column, and the height the cursor is at. */
  left = 0
  y = 0
  pageCount = 0
  #setup: PageSetup
  #column = 0
  #top = 0

  constructor(doc: Doc, setup: PageSetup) {
    const { columns = 1, columnGap = 0, margin } = setup
    this.doc = doc
    this.#setup = setup
    this.nextPage()
    this.width = (doc.page.width - margin.left - margin.right - columnGap * (columns - 1)) / columns
  }

  get isAtTop(): boolean {
    return this.y === this.#top
  }

  nextPage(): void {
    if (this.pageCount === this.#setup.maxPages) throw new PagesUsedUp()
    this.doc.addPage().lineCap('round').lineJoin('round')
    this.#setup.decorate(++this.pageCount)
    this.#top = this.#setup.margin.top
    this.#begin(0)
  }

  #begin(column: number): void {
    const { margin, columnGap = 0 } = this.#setup
    this.#column = column
    this.left = margin.left + (column === 0 ? 0 : column * (this.width + columnGap))
    this.y = this.#top
  }

  /** Goes on to the next column or page unless this much room is left. */
  need(height: number): void {
    const { columns = 1, margin } = this.#setup
    if (this.isAtTop || this.y + height <= this.doc.page.height - margin.bottom) return
    if (this.#column + 1 < columns) this.#begin(this.#column + 1)
    else this.nextPage()
  }

  down(height: number): void {
    this.y += height
  }

  /** Keeps the upper part of this page, over all columns. @returns its frame. */
  takeTop(height: number): { x: number; y: number; width: number; height: number } {
    const { left, right } = this.#setup.margin
    const frame = { x: left, y: this.y, width: this.doc.page.width - left - right, height }
    this.#top = this.y + height
    this.y = this.#top
    return frame
  }

  /** Breaks a text into lines and draws them, on to the next column where this one ends. */
  paragraph(content: Content, options: ParagraphOptions): void {
    const { leading, align = 'left', indent = 0, rightIndent = 0, rise = 0.76, marker } = options
    const room = this.width - indent - rightIndent
    const lines = breakLines(this.doc, content, options, room)
    const markerType = { ...options, color: options.markerColor ?? options.color }
    for (const [index, line] of lines.entries()) {
      // Neither the first nor the last line stays alone.
      const isFirstOrPenultimate = lines.length > 1 && (index === 0 || index === lines.length - 2)
      this.need(leading * (isFirstOrPenultimate ? 2 : 1))
      const baseline = this.y + leading * rise
      const left = this.left + indent + (align === 'center' ? (room - line.width) / 2 : 0)
      const gaps = line.words.length - 1
      const extra = align === 'justify' && index < lines.length - 1 && gaps > 0 ? (room - line.width) / gaps : 0
      if (index === 0 && marker) write(this.doc, marker, left - options.size * 0.45, baseline, markerType, { align: 1 })
      drawLine(this.doc, line, left, baseline, options, extra)
      this.down(leading)
    }
  }

  heightOf(content: Content, options: ParagraphOptions): number {
    const { leading, indent = 0, rightIndent = 0 } = options
    return breakLines(this.doc, content, options, this.width - indent - rightIndent).length * leading
  }
}
