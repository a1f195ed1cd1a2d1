import type { Random } from '../../random.ts'
import type { DrawnLook, Look } from '../blocks.ts'
import { black, type Color, gray, white } from '../canvas.ts'
import { drawFigure, figureHeight } from '../figures/draw-figure.ts'
import { createFlow } from '../flow.ts'
import { countLines, drawParagraph, type ParagraphOptions, type Segment } from '../paragraph.ts'
import { createPen } from '../pen.ts'
import { shapeLine, type TextStyle } from '../shape.ts'
import { drawBanner, drawPlainTitle, pageSetup, type TypedStyle } from './typed-page.ts'

/** Notes from a word processor or a typesetter: lecture notes, summaries in columns, problem sheets. */
export function createTypedLook(style: TypedStyle, random: Random, maxPages: number): DrawnLook {
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
        flow.canvas.line(
          [
            [flow.x, flow.y],
            [flow.x + flow.width, flow.y],
          ],
          { stroke: accent, lineWidth: 0.9 },
        )
        flow.down(gap)
      }
    },
    heading({ text: name }) {
      flow.need(leading * 4)
      flow.down(gap * 0.6)
      const { runs } = shapeLine(name, { fonts: heading, size: size * 1.12, weight: 'bold' })
      flow.canvas.text(flow.x, flow.y - leading * 0.8, runs, style.second)
      flow.down(leading * 1.25)
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
      drawStatement('Definition', term, `${capital(content)}.`, soft, accent)
    },
    fact({ label, text: content }) {
      if (style.columns > 1) {
        drawParagraph(flow, [{ text: label, weight: 'italic' }, { text: content }], { ...base, align: 'left' })
        return flow.down(gap)
      }
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
      const { runs, width } =
        scale === 1 ? line : shapeLine(content, { fonts: body, size: size * 1.12 * scale, math: true })
      const height = leading * (style.columns > 1 ? 1.5 : 2)
      flow.need(height)
      if (style.columns > 1)
        flow.canvas.rect(flow.x, flow.y - height * 0.9, flow.width, height * 0.84, { fill: soft, radius: 2 })
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
      drawParagraph(
        flow,
        [{ text: `Exercise ${++count.exercise}.`, weight: 'bold' }, { text: content }, ...worth],
        base,
      )
      flow.down(gap * 0.8)
    },
    solution({ text: content }) {
      drawBox([{ text: 'Solution.', weight: 'bold' }, { text: content }], gray(0.96), style.second)
    },
    break: () => flow.nextPage(),
  }
  return { look, flow, paper: style.paper }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
