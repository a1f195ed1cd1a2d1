import type { Random } from '../random.ts'
import type { Family } from './fonts.ts'
import { type Doc, measure, type Type, write } from './text.ts'

export type Point = readonly [x: number, y: number]
export const at = (x: number, y: number): Point => [x, y]

/** Where and how a figure is drawn. */
export type Manner = {
  doc: Doc
  /** The pen's points are counted from its lower left corner, upwards. */
  frame: { x: number; y: number; width: number; height: number }
  family: Family
  slant?: number
  textSize: number
  colors: { ink: string; accent: string; second: string; soft: string }
  random: Random
  /** Points by which a hand misses. Without it a ruler draws. */
  rough?: number
}

/** @param color null leaves the outline away. */
type Paint = { color?: string | null; fill?: string; width?: number; dash?: number }
/** @param align what part of the text stands left of its point: 0, ½ or 1. */
type LabelOptions = Partial<Type> & { align?: number; maxWidth?: number }
export type Pen = ReturnType<typeof createPen>

/** Draws figures with a ruler, or by hand. */
export function createPen({ doc, frame, family, slant, textSize, colors, random, rough }: Manner) {
  const place = ([x, y]: Point): [number, number] => [frame.x + x, frame.y + frame.height - y]
  const type: Type = { family, slant, size: textSize, color: colors.ink }

  /** A hand drifts slowly off the line and back. */
  function drift(points: Point[], size: number): Point[] {
    const phase = random.between(0, 6)
    return divide(points).map(([x, y], i) => at(x + size * Math.sin(phase + i / 3), y + size * Math.cos(phase + i / 4)))
  }

  const pen = {
    ...frame,
    colors,
    textSize,
    stroke(points: Point[], { color = colors.ink, fill, width = 0.9, dash }: Paint = {}): void {
      const [first = at(0, 0), ...others] = (rough ? drift(points, rough) : points).map(place)
      doc.moveTo(...first).lineWidth(width)
      for (const point of others) doc.lineTo(...point)
      if (dash) doc.dash(dash, {})
      if (fill && color) doc.fillAndStroke(fill, color)
      else if (fill) doc.fill(fill)
      else doc.stroke(color ?? colors.ink)
      doc.undash()
    },
    arrow(from: Point, to: Point, paint: Paint = {}): void {
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      const wing = (turn: number) => at(to[0] - 6 * Math.cos(angle + turn), to[1] - 6 * Math.sin(angle + turn))
      pen.stroke([from, to], paint)
      pen.stroke([wing(0.45), to, wing(-0.45)], paint)
    },
    box(x: number, y: number, width: number, height: number, paint: Paint = {}): void {
      const [right, top] = [x + width, y + height]
      pen.stroke([at(x, y), at(right, y), at(right, top), at(x, top), at(x, y)], paint)
    },
    oval([x, y]: Point, rx: number, ry: number, paint: Paint = {}): void {
      const angles = Array.from({ length: 41 }, (_, index) => (index * Math.PI) / 20)
      const points = angles.map((angle) => at(x + rx * Math.cos(angle), y + ry * Math.sin(angle)))
      pen.stroke(points, paint)
    },
    /** @param point its height is the middle of the text's. */
    label([x, y]: Point, text: string, { align = 0.5, maxWidth, ...options }: LabelOptions = {}): void {
      write(doc, text, ...place(at(x, y - textSize * 0.34)), { ...type, ...options }, { align, maxWidth })
    },
    /** A name in an oval that is wide enough for it. */
    node(point: Point, text: string, paint: Paint = {}): void {
      const rx = Math.max(textSize * 1.1, pen.measure(text) / 2 + 5)
      pen.oval(point, rx, textSize * 1.1, { color: colors.accent, ...paint })
      pen.label(point, text)
    },
    measure: (text: string): number => measure(doc, text, type),
  }
  return pen
}

/** The same lines with points that are near to each other. */
function divide(points: Point[]): Point[] {
  return points.flatMap(([x, y], index) => {
    const [toX, toY] = points[index + 1] ?? [x, y]
    const parts = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / 7))
    return Array.from({ length: parts }, (_, i) => at(x + ((toX - x) * i) / parts, y + ((toY - y) * i) / parts))
  })
}
