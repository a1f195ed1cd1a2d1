import type { Random } from '../../random.ts'
import type { Look } from '../blocks.ts'
import { black, type Canvas, type Color, gray, white } from '../canvas.ts'
import { drawFigure, figureHeight } from '../figures/draw-figure.ts'
import { createFlow, type Flow, type PageSetup } from '../flow.ts'
import type { Family } from '../fonts.ts'
import { countLines, drawParagraph, type ParagraphOptions, type Segment } from '../paragraph.ts'
import { createPen } from '../pen.ts'
import { shapeLine, type TextStyle } from '../shape.ts'

export type TypedStyle = {
  paper: { width: number; height: number }
  body: Family
  heading: Family
  /** Points of the running text. */
  size: number
  accent: Color
  second: Color
  soft: Color
  columns: number
  margin: number
  titleStyle: 'centred' | 'banner' | 'left'
  sectionStyle: 'numbered' | 'bar' | 'underlined'
  /** Definitions in a box with a coloured edge, or as a sentence that begins with their name. */
  boxed: boolean
  justify: boolean
  /** What the head and foot of every page say. */
  head: { left: string; right: string }
}

/** Notes from a word processor or a typesetter: lecture notes, summaries in columns, problem sheets. */
export function createTypedLook(style: TypedStyle, random: Random, maxPages: number): { look: Look; flow: Flow } {
  const { body, heading, size, accent, soft } = style
  const leading = size * (style.columns > 1 ? 1.26 : 1.38)
  const flow = createFlow(pageSetup(style), maxPages)
  const text: TextStyle = { fonts: body, size }
  const colors = { ink: black, accent, second: style.second, soft }
  const base: ParagraphOptions = { style: text, leading, color: black, align: style.justify ? 'justify' : 'left' }
  const gap = leading * (style.columns > 1 ? 0.35 : 0.55)
  const count = { section: 0, statement: 0, formula: 0, figure: 0, exercise: 0 }

  /** A paragraph on a coloured ground with an edge; it is kept on one page. */
  function drawBox(segments: Segment[], ground: Color, edge: Color) {
    const pad = size * 0.7
    const height = countLines(segments, text, flow.width - pad * 2 - 3) * leading + pad * 1.2
    flow.need(height + gap)
    flow.canvas.rect(flow.x, flow.y - height, flow.width, height, { fill: ground })
    flow.canvas.rect(flow.x, flow.y - height, 2.6, height, { fill: edge })
    flow.down(pad * 0.6)
    drawParagraph(flow, segments, { ...base, align: 'left', indent: pad + 3, rightIndent: pad })
    flow.down(pad * 0.6 + gap)
  }

  function drawStatement(label: string, name: string | null, content: string, ground: Color, edge: Color) {
    const number = style.sectionStyle === 'numbered' ? ` ${count.section || 1}.${++count.statement}` : ''
    const head: Segment[] = [{ text: `${label}${number}`, weight: 'bold' }]
    if (name) head.push({ text: `(${name}).`, weight: 'italic' })
    else head.push({ text: '–' })
    const segments = [...head, { text: content }]
    if (style.boxed) return drawBox(segments, ground, edge)
    drawParagraph(flow, segments, base)
    flow.down(gap)
  }

  const look: Look = {
    title({ title, course, byline }) {
      if (style.titleStyle === 'banner') drawBanner(flow, style, title, course, byline)
      else drawPlainTitle(flow, style, title, course, byline)
    },
    section({ text: name }) {
      count.section++
      count.statement = 0
      const big = style.columns > 1 ? size * 1.15 : size * 1.4
      flow.need(big * 3.4 + leading * 2)
      if (!flow.isAtTop) flow.down(style.columns > 1 ? gap : leading * 0.8)
      const label = style.sectionStyle === 'numbered' ? `${count.section}   ${name}` : name
      const isBar = style.sectionStyle === 'bar'
      if (isBar) flow.canvas.rect(flow.x, flow.y - big * 1.55, flow.width, big * 1.55, { fill: accent, radius: 2 })
      const { runs } = shapeLine(label, { fonts: heading, size: big, weight: 'bold' })
      flow.canvas.text(flow.x + (isBar ? 6 : 0), flow.y - big * 1.1, runs, isBar ? white : accent)
      flow.down(big * (isBar ? 1.85 : 1.45))
      if (style.sectionStyle === 'underlined') {
        flow.canvas.line([[flow.x, flow.y], [flow.x + flow.width, flow.y]], { stroke: accent, lineWidth: 0.9 })
        flow.down(gap)
      }
    },
    paragraph({ text: content }) {
      drawParagraph(flow, content, base)
      flow.down(gap)
    },
    definition({ term, text: content }) {
      if (style.columns > 1) {
        drawParagraph(flow, [{ text: `${term}:`, weight: 'bold' }, { text: content }], { ...base, align: 'left' })
        return flow.down(gap * 0.6)
      }
      drawStatement('Definition', term, `${capital(article(term))} is ${content}.`, soft, accent)
    },
    fact({ label, text: content }) {
      drawStatement(label, null, content, gray(0.955), style.second)
    },
    list({ items }) {
      for (const item of items) {
        drawParagraph(flow, item, { ...base, align: 'left', indent: size * 1.2, marker: '•', markerColor: accent })
      }
      flow.down(gap)
    },
    formula({ text: content }) {
      const line = shapeLine(content, { fonts: style.body, size: size * 1.12, math: true })
      const scale = Math.min(1, (flow.width - (style.columns > 1 ? 8 : 60)) / line.width)
      const { runs, width } = scale === 1 ? line : shapeLine(content, { fonts: body, size: size * 1.12 * scale, math: true })
      const height = leading * (style.columns > 1 ? 1.5 : 2)
      flow.need(height)
      if (style.columns > 1) flow.canvas.rect(flow.x, flow.y - height * 0.9, flow.width, height * 0.84, { fill: soft, radius: 2 })
      flow.canvas.text(flow.x + (flow.width - width) / 2, flow.y - height * 0.6, runs, black)
      if (style.columns === 1) {
        const number = shapeLine(`(${++count.formula})`, text)
        flow.canvas.text(flow.x + flow.width - number.width, flow.y - height * 0.6, number.runs, black)
      }
      flow.down(height + gap * 0.5)
    },
    figure({ figure }) {
      const textSize = style.columns > 1 ? size : size * 0.86
      const room = style.columns > 1 ? flow.width : Math.min(flow.width, 400)
      const height = figureHeight(figure, room, textSize)
      flow.need(height + leading * 2.2)
      const frame = { x: flow.x + (flow.width - room) / 2, y: flow.y - height, width: room, height }
      drawFigure(createPen({ canvas: flow.canvas, fonts: heading, colors, random, textSize }), frame, figure)
      flow.down(height + leading * 0.3)
      const caption = { ...base, style: { ...text, size: size * 0.88 }, align: 'center', color: gray(0.35) } as const
      drawParagraph(flow, [{ text: `Figure ${++count.figure}:`, weight: 'bold' }, { text: figure.caption }], caption)
      flow.down(gap)
    },
    exercise({ text: content, points }) {
      flow.need(leading * 4)
      const worth: Segment[] = points > 0 ? [{ text: `(${points} points)`, weight: 'italic' }] : []
      drawParagraph(flow, [{ text: `Exercise ${++count.exercise}.`, weight: 'bold' }, { text: content }, ...worth], base)
      flow.down(gap * 0.8)
    },
    solution({ text: content }) {
      drawBox([{ text: 'Solution.', weight: 'bold' }, { text: content }], gray(0.96), style.second)
    },
    break: () => flow.nextPage(),
  }
  return { look, flow }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** Terms that are no things to be counted go without an article. */
const article = (term: string) =>
  /(s|tion|sion|ity|ism|ness|ance|ence|ing|law|phy|ropy|omy|cost|power|ivity|om|ment|sis|lysis|ature|ysis|age|ty|hip|ing-)$/.test(term) || /^[A-Z“]/.test(term)
    ? term
    : `${/^[aeiou]/.test(term) ? 'an' : 'a'} ${term}`

function pageSetup({ paper, margin, columns, body, size, head, accent }: TypedStyle): PageSetup {
  const small: TextStyle = { fonts: body, size: Math.min(8.5, size * 0.85) }
  const footY = Math.max(20, margin * 0.5)
  return {
    ...paper,
    margin: { top: margin, right: margin, bottom: margin, left: margin },
    columns,
    columnGap: columns > 1 ? 16 : 0,
    decorate(canvas: Canvas, number) {
      const page = shapeLine(String(number), small)
      canvas.text((paper.width - page.width) / 2, footY, page.runs, gray(0.4))
      if (number === 1 && columns === 1) return
      const y = paper.height - margin + 10
      const right = shapeLine(head.right, small)
      canvas.text(margin, y, shapeLine(head.left, small).runs, gray(0.4))
      canvas.text(paper.width - margin - right.width, y, right.runs, gray(0.4))
      canvas.line([[margin, y - 4], [paper.width - margin, y - 4]], { stroke: columns > 1 ? accent : gray(0.75), lineWidth: 0.5 })
    },
  }
}

function drawBanner(flow: Flow, style: TypedStyle, title: string, course: string, byline: string): void {
  const big = style.columns > 1 ? 17 : 23
  const frame = flow.takeTop(style.columns > 1 ? 48 : 96)
  const { canvas } = flow
  canvas.rect(frame.x, frame.y + 10, frame.width, frame.height - 10, { fill: style.accent, radius: 3 })
  const put = (text: string, fonts: Family, size: number, y: number, weight: TextStyle['weight'], color: Color) => {
    const line = shapeLine(text, { fonts, size, weight })
    const fitting = Math.min(size, (size * (frame.width - 28)) / line.width)
    canvas.text(frame.x + 14, y, shapeLine(text, { fonts, size: fitting, weight }).runs, color)
  }
  const top = frame.y + frame.height
  put(title, style.heading, big, top - big * 1.35, 'bold', white)
  if (style.columns > 1) return put([course, byline].filter(Boolean).join('   ·   '), style.body, 8.5, frame.y + 18, 'regular', style.soft)
  put(course, style.body, 11.5, top - big * 1.35 - 21, 'regular', style.soft)
  put(byline, style.body, 10, frame.y + 21, 'regular', style.soft)
}

function drawPlainTitle(flow: Flow, style: TypedStyle, title: string, course: string, byline: string): void {
  const isCentred = style.titleStyle === 'centred'
  const big = style.columns > 1 ? 16 : 21
  const frame = flow.takeTop(style.columns > 1 ? 46 : isCentred ? 112 : 92)
  const put = (text: string, size: number, y: number, weight: TextStyle['weight'], color: Color) => {
    const natural = shapeLine(text, { fonts: style.heading, size, weight })
    const { runs, width } = natural.width <= frame.width ? natural : shapeLine(text, { fonts: style.heading, size: (size * frame.width) / natural.width, weight })
    flow.canvas.text(frame.x + (isCentred ? (frame.width - width) / 2 : 0), y, runs, color)
  }
  const top = frame.y + frame.height
  if (style.columns > 1) {
    put(title, big, top - 18, 'bold', style.accent)
    return put([course, byline].filter(Boolean).join('   ·   '), 8.5, top - 32, 'regular', gray(0.35))
  }
  put(course, 11, top - 14, 'regular', gray(0.35))
  put(title, big, top - 42, 'bold', isCentred ? black : style.accent)
  put(byline, 11, top - 64, isCentred ? 'regular' : 'italic', black)
  if (!isCentred) flow.canvas.line([[frame.x, top - 76], [frame.x + frame.width, top - 76]], { stroke: style.accent, lineWidth: 1.6 })
}
