import { type Block, upperFirst } from '../compose.ts'
import { drawFigure, figureHeight } from './figures.ts'
import { type Flow, type ParagraphOptions, rise } from './flow.ts'
import type { Family } from './fonts.ts'
import { gray, type Palette, paleGray } from './palettes.ts'
import { at, createPen, type Manner } from './pen.ts'
import { measure, type Span, write } from './text.ts'

/** How blocks look: one drawing for each kind. */
export type Look = { [K in Block['kind']]: (block: Extract<Block, { kind: K }>) => void }

export type LookStyle = Palette &
  Pick<Manner, 'random' | 'rough'> & {
    flow: Flow
    base: ParagraphOptions
    /** Of headlines and figures. */
    family: Family
    /** Headlines are white on a bar, or have a line under them. */
    hasBars?: boolean
    /** Definitions and solutions stand in boxes with a coloured edge. */
    hasBoxes?: boolean
    /** Points below paragraphs. */
    gap: number
  }

/** Notes as most forms have them; what a form has of its own stands in place of these. */
export function createLook(style: LookStyle): Look {
  const { flow, base, family, gap, hasBars, hasBoxes, accent, second, soft } = style
  const { doc } = flow
  const { leading, size, slant } = base
  const colors = { ink: base.color, accent, second, soft }
  const list = { ...base, indent: size * 1.2, marker: '•' }
  const counts = { figure: 0, exercise: 0 }

  /** Draws in the next so many points of this column. */
  const penFor = (height: number, width = flow.width) => {
    const frame = { x: flow.left + (flow.width - width) / 2, y: flow.y, width, height }
    return createPen({ ...style, doc, frame, slant, colors, textSize: size * 0.88 })
  }

  function headline(text: string, scale: number, width = flow.width) {
    const height = Math.ceil(scale) * leading
    const baseline = flow.y + (hasBars ? height / 2 + size * scale * 0.33 : height - leading * (1 - rise))
    const color = hasBars ? 'white' : accent
    if (hasBars) doc.roundedRect(flow.left, flow.y, width, height, 3).fill(accent)
    else penFor(height).stroke([at(0, 0), at(width, 0)], { color: accent })
    const type = { family, slant, size: size * scale, face: 'bold', color } as const
    write(doc, text, flow.left + (hasBars ? 8 : 0), baseline, type, { maxWidth: width - 16 })
    flow.y += height + gap
  }

  function box(content: Span[], ground: string, edge: string) {
    const inset = { ...base, indent: size }
    const height = flow.heightOf(content, inset) + size
    flow.need(height)
    doc.rect(flow.left, flow.y, flow.width, height).fill(ground)
    doc.rect(flow.left, flow.y, size * 0.24, height).fill(edge)
    flow.y += size / 2
    flow.paragraph(content, inset)
    flow.y += size / 2
  }

  return {
    title({ title, course, byline }) {
      headline(title, 1.8, flow.pageWidth)
      flow.paragraph([course, byline].filter(Boolean).join(' – '), { ...base, color: gray })
      flow.y += leading
      flow.keepAbove()
    },
    section({ text }) {
      flow.need(leading * 5)
      if (!flow.isAtTop) flow.y += leading
      headline(text, 1.3)
    },
    heading({ text }) {
      flow.need(leading * 4)
      flow.paragraph({ bold: text }, { ...base, family, color: second })
      flow.y += gap / 2
    },
    paragraph({ text }) {
      flow.paragraph(text, base)
      flow.y += gap
    },
    list({ items }) {
      for (const item of items) flow.paragraph(item, list)
      flow.y += gap
    },
    formula({ text }) {
      const type = { ...base, size: size * 1.15, math: true }
      const width = Math.min(flow.width - 24, measure(doc, text, type))
      flow.need(leading * 2)
      const pen = penFor(leading * 1.5, width + 24)
      pen.box(0, 0, width + 24, leading * 1.5, style.rough ? { color: accent } : { color: null, fill: soft })
      pen.label(at(width / 2 + 12, leading * 0.6), text, { ...type, align: 0.5, maxWidth: width })
      flow.y += leading * 2
    },
    statement({ role, label, text }) {
      if (role === 'exercise') counts.exercise++
      const content: Record<typeof role, Span[]> = {
        definition: [{ bold: `${upperFirst(label)}:` }, text],
        fact: [{ bold: label }, '–', text],
        exercise: [{ bold: `Exercise ${counts.exercise}.` }, text],
        solution: [{ bold: 'Solution.' }, text],
      }
      if (hasBoxes && role === 'definition') box(content[role], soft, accent)
      else if (hasBoxes && role === 'solution') box(content[role], paleGray, second)
      else flow.paragraph(content[role], base)
      flow.y += gap
    },
    figure({ figure }) {
      const width = Math.min(flow.width, size * 36)
      // It has room on a slide below its headline.
      const wanted = Math.min(150, figureHeight(figure, width, size)) + size
      // Whole lines, so that a hand goes on writing on the sheet's.
      const height = Math.ceil(wanted / leading) * leading
      flow.need(height + leading * 2)
      flow.y += size / 2
      drawFigure(penFor(height - size, width), figure)
      flow.y += height - size / 2
      flow.paragraph([{ bold: `Figure ${++counts.figure}:` }, figure.caption], { ...base, size: size * 0.9 })
      flow.y += gap
    },
    break: () => flow.nextPage(),
  }
}

export function drawBlock(look: Look, block: Block): void {
  const draw = look[block.kind] as (given: Block) => void
  draw(block)
}
