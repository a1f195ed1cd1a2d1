import { black, type Canvas, type Color, gray, white } from '../canvas.ts'
import type { Flow, PageSetup } from '../flow.ts'
import type { Family } from '../fonts.ts'
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

/** Page numbers, and a head from the second page on. */
export function pageSetup({ paper, margin, columns, body, size, head, accent }: TypedStyle): PageSetup {
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
      if (number === 1) return
      const y = paper.height - margin + 10
      const right = shapeLine(head.right, small)
      canvas.text(margin, y, shapeLine(head.left, small).runs, gray(0.4))
      canvas.text(paper.width - margin - right.width, y, right.runs, gray(0.4))
      canvas.line(
        [
          [margin, y - 4],
          [paper.width - margin, y - 4],
        ],
        { stroke: columns > 1 ? accent : gray(0.75), lineWidth: 0.5 },
      )
    },
  }
}

/** The title in white on a coloured ground. */
export function drawBanner(flow: Flow, style: TypedStyle, title: string, course: string, byline: string): void {
  const big = style.columns > 1 ? 17 : 23
  const frame = flow.takeTop(style.columns > 1 ? 58 : 96)
  const { canvas } = flow
  canvas.rect(frame.x, frame.y + 10, frame.width, frame.height - 10, { fill: style.accent, radius: 3 })
  const put = (text: string, fonts: Family, size: number, y: number, weight: TextStyle['weight'], color: Color) => {
    const line = shapeLine(text, { fonts, size, weight })
    const fitting = Math.min(size, (size * (frame.width - 28)) / line.width)
    canvas.text(frame.x + 14, y, shapeLine(text, { fonts, size: fitting, weight }).runs, color)
  }
  const top = frame.y + frame.height
  put(title, style.heading, big, top - big * 1.35, 'bold', white)
  if (style.columns > 1) {
    put([course, byline].filter(Boolean).join('   ·   '), style.body, 8.5, frame.y + 18, 'regular', style.soft)
    return
  }
  put(course, style.body, 11.5, top - big * 1.35 - 21, 'regular', style.soft)
  put(byline, style.body, 10, frame.y + 21, 'regular', style.soft)
}

export function drawPlainTitle(flow: Flow, style: TypedStyle, title: string, course: string, byline: string): void {
  const isCentred = style.titleStyle === 'centred'
  const big = style.columns > 1 ? 16 : 21
  const frame = flow.takeTop(style.columns > 1 ? 46 : isCentred ? 112 : 92)
  const put = (text: string, size: number, y: number, weight: TextStyle['weight'], color: Color) => {
    const natural = shapeLine(text, { fonts: style.heading, size, weight })
    const { runs, width } =
      natural.width <= frame.width
        ? natural
        : shapeLine(text, { fonts: style.heading, size: (size * frame.width) / natural.width, weight })
    flow.canvas.text(frame.x + (isCentred ? (frame.width - width) / 2 : 0), y, runs, color)
  }
  const top = frame.y + frame.height
  if (style.columns > 1) {
    put(title, big, top - 18, 'bold', style.accent)
    put([course, byline].filter(Boolean).join('   ·   '), 8.5, top - 32, 'regular', gray(0.35))
    return
  }
  put(course, 11, top - 14, 'regular', gray(0.35))
  put(title, big, top - 42, 'bold', isCentred ? black : style.accent)
  put(byline, 11, top - 64, isCentred ? 'regular' : 'italic', black)
  if (!isCentred)
    flow.canvas.line(
      [
        [frame.x, top - 76],
        [frame.x + frame.width, top - 76],
      ],
      { stroke: style.accent, lineWidth: 1.6 },
    )
}
