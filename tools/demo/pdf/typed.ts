import { upperFirst } from '../compose.ts'
import type { Random } from '../random.ts'
import { Flow, type ParagraphOptions } from './flow.ts'
import type { Family } from './fonts.ts'
import { createLook, drawBox, type Look } from './look.ts'
import { black, gray, type Palette, paleGray } from './palettes.ts'
import { type Doc, type Type, write } from './text.ts'

export type TypedStyle = Palette & {
  body: Family
  heading: Family
  /** Points of the running text. */
  size: number
  columns: number
  margin: number
  title: 'centred' | 'banner' | 'left'
  section: 'numbered' | 'bar' | 'underlined'
  /** Definitions in a box with a coloured edge, or as a sentence that begins with their name. */
  boxed: boolean
  justify: boolean
  /** What the head of every page says. */
  head: [left: string, right: string]
}

/** Notes from a word processor or a typesetter: lecture notes, summaries in columns, problem sheets. */
export function createTypedLook(doc: Doc, style: TypedStyle, random: Random, maxPages: number): Look {
  const { body, heading, size, accent, second, soft, columns, margin, head } = style
  const isDense = columns > 1
  const leading = size * (isDense ? 1.26 : 1.38)
  const gap = leading * (isDense ? 0.35 : 0.55)
  const ragged: ParagraphOptions = { family: body, size, leading, color: black }
  const base: ParagraphOptions = { ...ragged, align: style.justify ? 'justify' : 'left' }
  const count = { section: 0, statement: 0, exercise: 0, formula: 0 }

  const rule = (x: number, y: number, length: number, lineWidth: number, color: string) =>
    doc
      .moveTo(x, y)
      .lineTo(x + length, y)
      .lineWidth(lineWidth)
      .stroke(color)

  /** Page numbers, and a head from the second page on. */
  function decorate(number: number) {
    const { width, height } = doc.page
    const small: Type = { family: body, size: Math.min(8.5, size * 0.85), color: gray }
    write(doc, String(number), width / 2, height - Math.max(20, margin * 0.5), small, { align: 0.5 })
    if (number === 1) return
    write(doc, head[0], margin, margin - 10, small)
    write(doc, head[1], width - margin, margin - 10, small, { align: 1 })
    rule(margin, margin - 6, width - 2 * margin, 0.5, isDense ? accent : gray)
  }
  const margins = { top: margin, right: margin, bottom: margin, left: margin }
  const flow = new Flow(doc, { margin: margins, columns, columnGap: 16, maxPages, decorate })

  const formulaHeight = leading * (isDense ? 1.5 : 2)
  function decorateFormula() {
    const right = flow.left + flow.width
    if (isDense) doc.roundedRect(flow.left, flow.y, flow.width, formulaHeight * 0.9, 2).fill(soft)
    else write(doc, `(${++count.formula})`, right, flow.y + formulaHeight * 0.62, ragged, { align: 1 })
  }

  const common = {
    flow,
    base,
    heading: { ...ragged, family: heading, size: size * 1.12, leading: leading * 1.25, color: second },
    list: { ...ragged, indent: size * 1.2, marker: '•', markerColor: accent },
    caption: { ...ragged, size: size * 0.88, align: 'center', color: gray } as const,
    figureLabel: 'Figure',
    gap,
    manner: { doc, family: heading, textSize: size * 0.9, random, colors: { ink: black, accent, second, soft } },
    formula: { size: size * 1.12, height: formulaHeight, decorate: decorateFormula },
  }
  return createLook(common, {
    title({ title, course, byline }) {
      const isBanner = style.title === 'banner'
      const align = style.title === 'centred' ? 0.5 : 0
      const frame = flow.takeTop(isDense ? 54 : 104)
      const pad = isBanner ? 14 : 0
      const put = (text: string, y: number, type: Partial<Type>) => {
        const x = frame.x + pad + (frame.width - 2 * pad) * align
        const color = isBanner ? soft : gray
        write(doc, text, x, frame.y + y, { ...ragged, color, ...type }, { align, maxWidth: frame.width - 2 * pad })
      }
      if (isBanner) doc.roundedRect(frame.x, frame.y, frame.width, frame.height - 12, 3).fill(accent)
      const color = isBanner ? 'white' : align ? black : accent
      put(title, isDense ? 22 : isBanner ? 36 : 42, { family: heading, size: isDense ? 17 : 22, face: 'bold', color })
      if (isDense) return put([course, byline].filter(Boolean).join('   ·   '), 36, { size: 8.5 })
      put(course, isBanner ? 57 : 14, { size: 11.5 })
      put(byline, isBanner ? 76 : 64, { size: 10.5, face: isBanner ? 'regular' : 'italic' })
      if (style.title === 'left') rule(frame.x, frame.y + 76, frame.width, 1.6, accent)
    },
    section({ text }) {
      count.section++
      count.statement = 0
      const big = size * (isDense ? 1.15 : 1.4)
      flow.need(big * 3.4 + leading * 2)
      if (!flow.isAtTop) flow.down(isDense ? gap : leading * 0.8)
      const isBar = style.section === 'bar'
      if (isBar) doc.roundedRect(flow.left, flow.y, flow.width, big * 1.55, 2).fill(accent)
      const label = style.section === 'numbered' ? `${count.section}   ${text}` : text
      const type: Type = { family: heading, size: big, face: 'bold', color: isBar ? 'white' : accent }
      write(doc, label, flow.left + (isBar ? 6 : 0), flow.y + big * 1.1, type, { maxWidth: flow.width - 12 })
      if (style.section === 'underlined') rule(flow.left, flow.y + big * 1.45, flow.width, 0.9, accent)
      flow.down(big * 1.45 + gap)
    },
    statement({ role, label, text, points }) {
      const number = style.section === 'numbered' ? ` ${count.section || 1}.${count.statement + 1}` : ''
      if (role === 'definition' || role === 'fact') count.statement++
      if (role === 'exercise') count.exercise++
      const worth = points > 0 ? [{ italic: `(${points} points)` }] : []
      const content = {
        definition: [{ bold: `Definition${number}` }, { italic: `(${label}).` }, `${upperFirst(text)}.`],
        fact: [{ bold: `${label}${number}` }, '–', text],
        exercise: [{ bold: `Exercise ${count.exercise}.` }, text, ...worth],
        solution: [{ bold: 'Solution.' }, text],
      }
      if (isDense) flow.paragraph([role === 'fact' ? { italic: label } : { bold: `${label}:` }, text], ragged)
      else if (role === 'exercise' || !(style.boxed || role === 'solution')) flow.paragraph(content[role], base)
      else if (role === 'definition') drawBox(flow, content[role], base, soft, accent)
      else drawBox(flow, content[role], base, paleGray, second)
      flow.down(gap)
    },
  })
}
