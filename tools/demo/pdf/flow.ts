import { breakLines, type Content, type Doc, drawLine, type Type, write } from './text.ts'

export type FlowSetup = {
  columns?: number
  maxPages: number
  /** Draws what every page has, below its text. @param number from 1. */
  decorate(number: number): void
}

export type ParagraphOptions = Type & {
  /** Points from baseline to baseline. */
  leading: number
  /** From both edges of the column. */
  indent?: number
  /** Stands in the indent of the first line. */
  marker?: string
}

const columnGap = 16
/** How much of a line's height lies above its baseline. */
export const rise = 0.78

/** Ends the drawing of a document that has all the pages it may have. */
export class PagesUsedUp extends Error {}

/** A cursor that goes down columns and on to new pages, inside of the document's margins; y grows downwards. */
export class Flow {
  readonly doc: Doc
  /** Of a column. */
  readonly width: number
  y = 0
  #setup: FlowSetup
  #pageCount = 0
  #column = 0
  #top = 0

  constructor(doc: Doc, setup: FlowSetup) {
    const { columns = 1 } = setup
    this.doc = doc
    this.#setup = setup
    this.nextPage()
    this.width = (this.pageWidth - columnGap * (columns - 1)) / columns
  }

  /** The left edge of the column. */
  get left(): number {
    return this.doc.page.margins.left + this.#column * (this.width + columnGap)
  }

  /** Between the margins. */
  get pageWidth(): number {
    const { width, margins } = this.doc.page
    return width - margins.left - margins.right
  }

  get isAtTop(): boolean {
    return this.y === this.#top
  }

  nextPage(): void {
    if (this.#pageCount === this.#setup.maxPages) throw new PagesUsedUp()
    this.doc.addPage().lineCap('round').lineJoin('round')
    this.#setup.decorate(++this.#pageCount)
    this.#column = 0
    this.y = this.doc.page.margins.top
    this.#top = this.y
  }

  /** Goes on to the next column or page unless this much room is left. */
  need(height: number): void {
    if (this.isAtTop || this.y + height <= this.doc.page.maxY()) return
    if (this.#column + 1 === (this.#setup.columns ?? 1)) this.nextPage()
    else {
      this.#column++
      this.y = this.#top
    }
  }

  /** The columns of this page begin here. */
  keepAbove(): void {
    this.#top = this.y
  }

  /** Breaks a text into lines and draws them, on to the next column where this one ends. */
  paragraph(content: Content, options: ParagraphOptions): void {
    const { leading, indent = 0, marker, size } = options
    const left = () => this.left + indent
    for (const [index, line] of breakLines(this.doc, content, options, this.width - 2 * indent).entries()) {
      // The first line does not stay alone.
      this.need(leading * (index === 0 ? 2 : 1))
      const baseline = this.y + leading * rise
      if (index === 0 && marker) write(this.doc, marker, left() - size * 0.45, baseline, options, { align: 1 })
      drawLine(this.doc, line, left(), baseline, options)
      this.y += leading
    }
  }

  heightOf(content: Content, { leading, indent = 0, ...type }: ParagraphOptions): number {
    return breakLines(this.doc, content, type, this.width - 2 * indent).length * leading
  }
}
