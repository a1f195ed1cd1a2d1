import type { Random } from '../../random.ts'
import type { DrawnLook, Look } from '../blocks.ts'
import { black, type Color, gray, white } from '../canvas.ts'
import { drawFigure } from '../figures/draw-figure.ts'
import { createFlow } from '../flow.ts'
import type { Family } from '../fonts.ts'
import { countLines, drawParagraph, type ParagraphOptions } from '../paragraph.ts'
import { createPen } from '../pen.ts'
import { shapeLine } from '../shape.ts'

export type SlideStyle = {
  fonts: Family
  accent: Color
  second: Color
  soft: Color
  foot: string
}

/** 16 to 9, in points. */
const paper = { width: 720, height: 405 }
const titleHeight = 62

/** Slides exported as a PDF. Each `break` begins one, and its section is its headline. */
export function createSlidesLook(style: SlideStyle, random: Random, maxPages: number): DrawnLook {
  const { fonts, accent, second, soft } = style
  const flow = createFlow(
    {
      ...paper,
      margin: { top: titleHeight + 26, right: 48, bottom: 34, left: 48 },
      decorate(canvas, number) {
        if (number === 1) return canvas.rect(0, 0, paper.width, paper.height, { fill: accent })
        const small = { fonts, size: 9.5 }
        canvas.rect(0, paper.height - 9, paper.width, 9, { fill: accent })
        canvas.text(48, 16, shapeLine(style.foot, small).runs, gray(0.5))
        const page = shapeLine(String(number), small)
        canvas.text(paper.width - 48 - page.width, 16, page.runs, gray(0.5))
      },
    },
    maxPages,
  )
  const base: ParagraphOptions = { style: { fonts, size: 18 }, leading: 27, color: black }
  const colors = { ink: black, accent, second, soft }

  const look: Look = {
    title({ title, course, byline }) {
      const { canvas } = flow
      const put = (text: string, size: number, y: number, weight: 'regular' | 'bold', color: Color) => {
        const { width } = shapeLine(text, { fonts, size, weight })
        const fitting = Math.min(size, (size * (paper.width - 120)) / width)
        canvas.text(60, y, shapeLine(text, { fonts, size: fitting, weight }).runs, color)
      }
      canvas.rect(60, 150, 70, 4, { fill: second })
      canvas.ellipse(paper.width - 40, 40, 130, 130, { stroke: soft, lineWidth: 0.6 })
      canvas.ellipse(paper.width - 40, 40, 175, 175, { stroke: soft, lineWidth: 0.6 })
      put(title, 36, 190, 'bold', white)
      put(course, 18, 112, 'regular', soft)
      put(byline, 14, 84, 'regular', soft)
    },
    section({ text }) {
      const { width } = shapeLine(text, { fonts, size: 26, weight: 'bold' })
      const size = Math.min(26, (26 * (paper.width - 96)) / width)
      flow.canvas.text(48, paper.height - titleHeight, shapeLine(text, { fonts, size, weight: 'bold' }).runs, accent)
    },
    paragraph({ text }) {
      drawParagraph(flow, text, { ...base, style: { fonts, size: 15 }, leading: 22, color: gray(0.3) })
    },
    heading({ text }) {
      drawParagraph(flow, [{ text, weight: 'bold' }], base)
    },
    definition({ text }) {
      const large = { ...base, style: { fonts, size: 21 }, leading: 30, indent: 20, rightIndent: 20 }
      const height = countLines(text, large.style, flow.width - 40) * large.leading + 26
      flow.canvas.rect(flow.x, flow.y - height, flow.width, height, { fill: soft, radius: 6 })
      flow.down(13)
      drawParagraph(flow, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`, large)
      flow.down(36)
    },
    fact({ text }) {
      drawParagraph(flow, text, base)
    },
    list({ items }) {
      for (const item of items) {
        drawParagraph(flow, item, { ...base, indent: 26, marker: '•', markerColor: second })
        flow.down(10)
      }
    },
    formula({ text }) {
      const natural = shapeLine(text, { fonts, size: 30, math: true })
      const size = Math.min(30, (30 * (flow.width - 60)) / natural.width)
      const { runs, width } = shapeLine(text, { fonts, size, math: true })
      flow.canvas.rect(flow.x, flow.y - 110, flow.width, 110, { fill: soft, radius: 6 })
      flow.canvas.text(flow.x + (flow.width - width) / 2, flow.y - 64, runs, black)
      flow.down(136)
    },
    figure({ figure }) {
      const height = flow.y - 46
      const frame = { x: flow.x + 30, y: 46, width: flow.width - 60, height }
      drawFigure(createPen({ canvas: flow.canvas, fonts, colors, random, textSize: 14 }), frame, figure)
      flow.down(height)
    },
    exercise({ text }) {
      drawParagraph(flow, text, { ...base, style: { fonts, size: 20 }, leading: 29 })
      flow.down(18)
    },
    solution({ text }) {
      const height = countLines(text, base.style, flow.width - 20) * base.leading
      flow.canvas.rect(flow.x, flow.y - height, 4, height, { fill: second })
      drawParagraph(flow, text, { ...base, indent: 20, color: gray(0.3) })
    },
    break: () => flow.nextPage(),
  }
  return { look, flow, paper }
}
