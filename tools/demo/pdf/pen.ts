import type { Random } from '../random.ts'
import type { Canvas, Color, Point } from './canvas.ts'
import type { Family } from './fonts.ts'
import { shapeLine } from './shape.ts'

export type PenColors = { ink: Color; accent: Color; second: Color; soft: Color }

/** Draws a figure in the manner of its document: with a ruler, or by hand. Lengths are points. */
export type Pen = {
  colors: PenColors
  random: Random
  line(points: readonly Point[], options?: { color?: Color; width?: number; dash?: number[] }): void
  curve(points: readonly Point[], options?: { color?: Color; width?: number; dash?: number[] }): void
  arrow(from: Point, to: Point, options?: { color?: Color; width?: number }): void
  box(
    x: number,
    y: number,
    width: number,
    height: number,
    options?: { fill?: Color; color?: Color; radius?: number },
  ): void
  oval(x: number, y: number, rx: number, ry: number, options?: { fill?: Color; color?: Color | null }): void
  area(points: readonly Point[], fill: Color): void
  /** @returns the width drawn. */
  label(x: number, y: number, text: string, options?: LabelOptions): number
  measure(text: string, size?: number): number
  textSize: number
}

export type LabelOptions = {
  align?: 'left' | 'center' | 'right'
  size?: number
  bold?: boolean
  color?: Color
  maxWidth?: number
}

type PenSettings = {
  canvas: Canvas
  fonts: Family
  colors: PenColors
  random: Random
  textSize: number
  /** Points by which a hand misses. 0 draws with a ruler. */
  rough?: number
}

export function createPen({ canvas, fonts, colors, random, textSize, rough = 0 }: PenSettings): Pen {
  const miss = () => (rough === 0 ? 0 : random.normal(0, rough))
  const shaky = (points: readonly Point[]) => points.map(([x, y]): Point => [x + miss(), y + miss()])
  const paint = (options: { color?: Color; width?: number; dash?: number[] } = {}) => ({
    stroke: options.color ?? colors.ink,
    lineWidth: options.width ?? (rough > 0 ? 1.1 : 0.8),
    ...(options.dash && { dash: options.dash }),
  })
  const styleOf = (size: number, bold = false) => ({
    fonts,
    size,
    weight: bold ? ('bold' as const) : ('regular' as const),
  })
  const corners = (x: number, y: number, width: number, height: number): Point[] => [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
    [x, y],
  ]

  const pen: Pen = {
    colors,
    random,
    textSize,
    line(points, options) {
      if (rough === 0) canvas.line(points, paint(options))
      else for (let i = 1; i < points.length; i++) pen.curve(split(points[i - 1], points[i]), options)
    },
    curve(points, options) {
      canvas.curve(shaky(points), paint(options))
    },
    arrow(from, to, options) {
      canvas.arrow([from[0] + miss(), from[1] + miss()], to, { ...paint(options), head: rough > 0 ? 6.5 : 5 })
    },
    box(x, y, width, height, { fill, color, radius = 0 } = {}) {
      if (rough === 0) canvas.rect(x, y, width, height, { ...paint({ color }), ...(fill && { fill }), radius })
      else {
        if (fill) canvas.rect(x, y, width, height, { fill })
        pen.line(corners(x, y, width, height), { color })
      }
    },
    oval(x, y, rx, ry, { fill, color } = {}) {
      const outline = color === null ? {} : paint({ color })
      canvas.ellipse(x + miss(), y + miss(), rx + miss() * 0.6, ry + miss() * 0.6, {
        ...outline,
        ...(fill && { fill }),
      })
    },
    area(points, fill) {
      canvas.line(points, { fill, close: true })
    },
    label(x, y, text, { align = 'left', size = textSize, bold = false, color = colors.ink, maxWidth } = {}) {
      if (text === '') return 0
      let { runs, width } = shapeLine(text, styleOf(size, bold))
      if (maxWidth && width > maxWidth) ({ runs, width } = shapeLine(text, styleOf((size * maxWidth) / width, bold)))
      canvas.text(x - (align === 'left' ? 0 : align === 'center' ? width / 2 : width), y, runs, color)
      return width
    },
    measure: (text, size = textSize) => shapeLine(text, styleOf(size)).width,
  }
  return pen
}

/** A straight line as a hand's three points. */
function split(from: Point = [0, 0], to: Point = from): Point[] {
  return [0, 0.35, 0.7, 1].map(
    (part): Point => [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part],
  )
}
