import type { Block } from '../compose.ts'
import { drawFigure, figureHeight } from './figures.ts'
import type { Flow, ParagraphOptions } from './flow.ts'
import type { Manner } from './pen.ts'
import { measure, type Span, write } from './text.ts'

/** How blocks look: one drawing for each kind. */
export type Look = { [K in Block['kind']]: (block: Extract<Block, { kind: K }>) => void }

export type LookStyle = {
  flow: Flow
  base: ParagraphOptions
  heading: ParagraphOptions
  list: ParagraphOptions
  caption: ParagraphOptions
  figureLabel: string
  /** Below paragraphs, in points. */
  gap: number
  manner: Omit<Manner, 'frame'>
  formula: { size: number; height: number; decorate(width: number): void }
}

/** What all looks have in common; each adds what makes it. */
export function createLook(style: LookStyle, own: Pick<Look, 'title' | 'section' | 'statement'> & Partial<Look>): Look {
  const { flow, base, heading, gap, manner, formula } = style
  let figures = 0
  return {
    heading({ text }) {
      flow.need(base.leading * 4)
      flow.paragraph({ bold: text }, heading)
    },
    paragraph({ text }) {
      flow.paragraph(text, base)
      flow.down(gap)
    },
    list({ items }) {
      for (const item of items) flow.paragraph(item, style.list)
      flow.down(gap)
    },
    formula({ text }) {
      const type = { ...base, size: formula.size, math: true }
      const maxWidth = flow.width - 60
      flow.need(formula.height)
      formula.decorate(Math.min(maxWidth, measure(flow.doc, text, type)))
      write(flow.doc, text, flow.left + flow.width / 2, flow.y + formula.height * 0.62, type, { align: 0.5, maxWidth })
      flow.down(formula.height + gap)
    },
    figure({ figure }) {
      const width = Math.min(flow.width, 400)
      // Whole lines, so that a hand goes on writing on the sheet's.
      const height = Math.ceil((figureHeight(figure, width, manner.textSize) + 6) / base.leading) * base.leading
      flow.need(height + base.leading * 2)
      const frame = { x: flow.left + (flow.width - width) / 2, y: flow.y, width, height: height - 6 }
      drawFigure({ ...manner, frame }, figure)
      flow.down(height)
      const label: Span[] = style.figureLabel ? [{ bold: `${style.figureLabel} ${++figures}:` }] : []
      flow.paragraph([...label, figure.caption], style.caption)
      flow.down(gap)
    },
    break: () => flow.nextPage(),
    ...own,
  }
}

/** A paragraph on a coloured ground with an edge; it is kept on one page. */
export function drawBox(flow: Flow, content: Span[], base: ParagraphOptions, ground: string, edge: string): void {
  const pad = base.size * 0.7
  const inset: ParagraphOptions = { ...base, align: 'left', indent: pad + 3, rightIndent: pad }
  const height = flow.heightOf(content, inset) + pad * 1.2
  flow.need(height)
  flow.doc.rect(flow.left, flow.y, flow.width, height).fill(ground)
  flow.doc.rect(flow.left, flow.y, base.size * 0.24, height).fill(edge)
  flow.down(pad * 0.6)
  flow.paragraph(content, inset)
  flow.down(pad * 0.6)
}

export function drawBlock(look: Look, block: Block): void {
  const draw = look[block.kind] as (given: Block) => void
  draw(block)
}
