import type { Random } from '../../random.ts'
import type { DrawnLook, Look } from '../blocks.ts'
import { type Canvas, type Color, gray, type Point } from '../canvas.ts'
import { drawFigure, figureHeight } from '../figures/draw-figure.ts'
import { createFlow } from '../flow.ts'
import type { Family } from '../fonts.ts'
import { drawParagraph, type ParagraphOptions } from '../paragraph.ts'
import { createPen } from '../pen.ts'
import { shapeLine, type TextStyle } from '../shape.ts'

export type HandStyle = {
  paper: { width: number; height: number }
  sheet: 'ruled' | 'squared' | 'dotted' | 'plain'
  sheetColor: Color
  hand: Family
  /** Distance of two lines in points; everything stands on lines. */
  rule: number
  ink: Color
  /** A second pen for headings and solutions. */
  red: Color
  marker: Color
}

const marginLeft = 66

/** A notebook: ink on ruled, squared or dotted sheets, with a marker and a second pen. */
export function createHandwrittenLook(style: HandStyle, random: Random, maxPages: number): DrawnLook {
  const { hand, rule, ink, red, marker, paper } = style
  const top = rule * 3
  const flow = createFlow(
    {
      ...paper,
      margin: { top, right: 34, bottom: rule * 1.4, left: marginLeft },
      decorate: (canvas, number) => drawSheet(canvas, style, top, number),
    },
    maxPages,
  )
  const size = rule * 0.68
  const text: TextStyle = { fonts: hand, size }
  // The baseline lies a little above the printed line.
  const base: ParagraphOptions = { style: text, leading: rule, color: ink, wobble: random, rise: 0.9 }
  const colors = { ink, accent: red, second: ink, soft: marker }
  let exercises = 0

  const under = (from: Point, width: number, color: Color, lineWidth = 1.2) =>
    flow.canvas.curve(
      [0, 0.3, 0.6, 1].map((part): Point => [from[0] + width * part, from[1] + random.normal(0, 0.7)]),
      { stroke: color, lineWidth },
    )

  /** The swipe of a highlighter under the words that begin at the cursor. */
  function highlight(words: string, indent = 0) {
    const { width } = shapeLine(words, text)
    const y = flow.y - rule * 0.98 + random.between(-0.8, 0.8)
    const lean = random.between(-1.2, 1.2)
    const [left, right] = [flow.x + indent - 3, flow.x + indent + Math.min(width * 1.02 + 4, flow.width - indent)]
    flow.canvas.line(
      [
        [left, y],
        [right, y + lean],
        [right + 2, y + lean + rule * 0.74],
        [left + 2, y + rule * 0.74],
      ],
      { fill: marker, close: true },
    )
  }

  const look: Look = {
    title({ title, course, byline }) {
      const big = shapeLine(title, { fonts: hand, size: size * 1.5 })
      const fit = Math.min(size * 1.5, (size * 1.5 * flow.width) / big.width)
      const line = shapeLine(title, { fonts: hand, size: fit })
      flow.canvas.text(flow.x, flow.y - rule * 0.8, line.runs, red)
      under([flow.x, flow.y - rule * 1.05], line.width, red)
      under([flow.x + 2, flow.y - rule * 1.14], line.width * 0.97, red)
      flow.down(rule * 2)
      drawParagraph(flow, [course, byline].filter(Boolean).join(' – '), {
        ...base,
        style: { fonts: hand, size: size * 0.86 },
      })
      flow.down(rule)
    },
    section({ text: name }) {
      flow.need(rule * 4)
      if (!flow.isAtTop) flow.down(rule)
      const line = shapeLine(name, { fonts: hand, size: size * 1.25 })
      flow.canvas.text(flow.x, flow.y - rule * 0.86, line.runs, red)
      under([flow.x, flow.y - rule * 1.06], Math.min(line.width, flow.width), red)
      flow.down(rule)
    },
    heading({ text: name }) {
      flow.need(rule * 5)
      under([flow.x, flow.y - rule * 1.04], shapeLine(name, text).width, ink, 0.9)
      drawParagraph(flow, name, base)
    },
    paragraph({ text: content }) {
      drawParagraph(flow, content, base)
    },
    definition({ term, text: content }) {
      flow.need(rule * 2)
      highlight(`${term}:`)
      drawParagraph(flow, `${term}: ${content}`, base)
    },
    fact({ label, text: content }) {
      flow.need(rule * 2)
      flow.canvas.text(flow.x - 26, flow.y - rule * 0.9, shapeLine('!!', { fonts: hand, size: size * 1.2 }).runs, red)
      drawParagraph(flow, `${label}: ${content}`, base)
    },
    list({ items }) {
      for (const item of items)
        drawParagraph(flow, item, { ...base, indent: size * 1.2, marker: '–', markerColor: red })
    },
    formula({ text: content }) {
      flow.need(rule * 3)
      const natural = shapeLine(content, { fonts: hand, size: size * 1.12 })
      const scale = Math.min(1, (flow.width - 40) / natural.width)
      const { runs, width } = shapeLine(content, { fonts: hand, size: size * 1.12 * scale })
      const left = flow.x + (flow.width - width) / 2
      flow.canvas.text(left, flow.y - rule * 1.4, runs, ink)
      const pen = createPen({ canvas: flow.canvas, fonts: hand, colors, random, textSize: size, rough: 0.9 })
      pen.box(left - 12, flow.y - rule * 1.85, width + 24, rule * 1.5, { color: red })
      flow.down(rule * 2)
    },
    figure({ figure }) {
      const room = Math.min(flow.width, 380)
      const textSize = size * 0.85
      const height = Math.ceil((figureHeight(figure, room, textSize) + 6) / rule) * rule
      flow.need(height + rule * 2)
      const frame = { x: flow.x + 10, y: flow.y - height, width: room, height: height - 6 }
      drawFigure(createPen({ canvas: flow.canvas, fonts: hand, colors, random, textSize, rough: 0.7 }), frame, figure)
      flow.down(height)
      drawParagraph(flow, figure.caption, {
        ...base,
        style: { fonts: hand, size: size * 0.82 },
        indent: 10,
        color: red,
      })
    },
    exercise({ text: content }) {
      flow.need(rule * 3)
      const label = `Ex. ${++exercises}`
      highlight(label)
      drawParagraph(flow, `${label}  ${content}`, base)
    },
    solution({ text: content }) {
      drawParagraph(flow, content, { ...base, indent: size * 1.6, marker: '→', color: red })
    },
    break: () => flow.nextPage(),
  }
  return { look, flow, paper }
}

function drawSheet(
  canvas: Canvas,
  { paper, sheet, sheetColor, rule, hand, ink }: HandStyle,
  top: number,
  number: number,
): void {
  const { width, height } = paper
  canvas.rect(0, 0, width, height, { fill: sheetColor })
  const blue: Color = [0.72, 0.81, 0.9]
  const first = height - top
  if (sheet === 'ruled') {
    for (let y = first; y > rule; y -= rule)
      canvas.line(
        [
          [0, y],
          [width, y],
        ],
        { stroke: blue, lineWidth: 0.5 },
      )
    canvas.line(
      [
        [marginLeft - 12, 0],
        [marginLeft - 12, height],
      ],
      { stroke: [0.9, 0.62, 0.62], lineWidth: 0.7 },
    )
    for (const part of [0.16, 0.5, 0.84])
      canvas.ellipse(20, height * part, 6.5, 6.5, { fill: gray(0.86), stroke: gray(0.78), lineWidth: 0.5 })
  }
  if (sheet === 'squared') {
    const step = rule / 2
    for (let y = first % step; y < height; y += step)
      canvas.line(
        [
          [0, y],
          [width, y],
        ],
        { stroke: blue, lineWidth: 0.3 },
      )
    for (let x = marginLeft % step; x < width; x += step)
      canvas.line(
        [
          [x, 0],
          [x, height],
        ],
        { stroke: blue, lineWidth: 0.3 },
      )
  }
  if (sheet === 'dotted') {
    // One dashed line draws a row of dots.
    for (let y = first % rule; y < height; y += rule) {
      canvas.line(
        [
          [rule / 2, y],
          [width, y],
        ],
        { stroke: gray(0.66), lineWidth: 1, dash: [0, rule] },
      )
    }
  }
  const page = shapeLine(String(number), { fonts: hand, size: rule * 0.6 })
  canvas.text(width - 30 - page.width, height - rule * 1.3, page.runs, ink)
}
