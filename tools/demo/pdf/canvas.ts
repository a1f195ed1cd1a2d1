import type { Run } from './shape.ts'

/** Red, green and blue in 0 to 1. */
export type Color = readonly [number, number, number]

export const black: Color = [0.1, 0.1, 0.12]
export const white: Color = [1, 1, 1]
export const gray = (lightness: number): Color => [lightness, lightness, lightness]

type Paint = { fill?: Color; stroke?: Color; lineWidth?: number; dash?: number[] }
export type Point = readonly [number, number]

/** Writes a page description. Lengths are points (1/72 inch), y grows upwards from the bottom edge. */
export type Canvas = {
  /** Draws shaped text with its baseline at y. @param wordSpacing is added to every blank. */
  text(x: number, y: number, runs: Run[], color: Color, wordSpacing?: number): void
  line(points: readonly Point[], paint: Paint & { close?: boolean }): void
  /** A smooth curve through the points. */
  curve(points: readonly Point[], paint: Paint): void
  rect(x: number, y: number, width: number, height: number, paint: Paint & { radius?: number }): void
  ellipse(x: number, y: number, radiusX: number, radiusY: number, paint: Paint): void
  arrow(from: Point, to: Point, paint: Paint & { head?: number }): void
  /** The page description so far. */
  toString(): string
}

export function createCanvas(): Canvas {
  const parts: string[] = ['1 J 1 j']
  const painted = (path: string, { fill, stroke, lineWidth = 0.8, dash }: Paint) => {
    const state = [
      fill && `${color(fill)} rg`,
      stroke && `${color(stroke)} RG ${number(lineWidth)} w`,
      dash && `[${dash.map(number).join(' ')}] 0 d`,
    ]
    const operator = fill && stroke ? 'B' : fill ? 'f' : 'S'
    parts.push(`q ${state.filter(Boolean).join(' ')} ${path} ${operator} Q`)
  }

  const canvas: Canvas = {
    text(x, y, runs, ink, wordSpacing = 0) {
      const shown = runs.map(({ font, size, hex, dx, rise }) => {
        const spacing = wordSpacing === 0 ? '' : `${number(wordSpacing)} Tw `
        return `${spacing}/${font} ${number(size)} Tf 1 0 0 1 ${number(x + dx)} ${number(y + rise)} Tm <${hex}> Tj`
      })
      // A drawn font is stroked, the others are filled.
      parts.push(`q ${color(ink)} rg ${color(ink)} RG BT ${shown.join(' ')} ET Q`)
      for (const { bar, dx, width, size, rise } of runs) {
        if (!bar) continue
        const top = y + rise + size * bar
        canvas.line(
          [
            [x + dx + size * 0.06, top],
            [x + dx + width - size * 0.02, top],
          ],
          { stroke: ink, lineWidth: size * 0.05 },
        )
      }
    },
    line(points, paint) {
      painted(`${straight(points)}${paint.close ? ' h' : ''}`, paint)
    },
    curve(points, paint) {
      painted(smooth(points), paint)
    },
    rect(x, y, width, height, paint) {
      const r = paint.radius ?? 0
      painted(r > 0 ? rounded(x, y, width, height, r) : `${[x, y, width, height].map(number).join(' ')} re`, paint)
    },
    ellipse(x, y, radiusX, radiusY, paint) {
      painted(oval(x, y, radiusX, radiusY), paint)
    },
    arrow(from, to, paint) {
      const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
      const head = paint.head ?? 5
      const wing = (turn: number): Point => [
        to[0] - head * Math.cos(angle + turn),
        to[1] - head * Math.sin(angle + turn),
      ]
      canvas.line([from, to], paint)
      canvas.line([wing(0.45), to, wing(-0.45)], { ...paint, dash: [] })
    },
    toString: () => parts.join('\n'),
  }
  return canvas
}

const number = (value: number) => String(Math.round(value * 100) / 100)
const color = (rgb: Color) => rgb.map((part) => Math.round(part * 1000) / 1000).join(' ')
const at = ([x, y]: Point) => `${number(x)} ${number(y)}`

const straight = (points: readonly Point[]) =>
  points.map((point, index) => `${at(point)} ${index === 0 ? 'm' : 'l'}`).join(' ')

/** Catmull and Rom's spline as Bézier curves. Also used for the strokes of a drawn font. */
export function smooth(points: readonly Point[], format = number): string {
  const [first] = points
  if (!first) return ''
  const place = ([x, y]: Point) => `${format(x)} ${format(y)}`
  let path = `${place(first)} m`
  for (let i = 0; i < points.length - 1; i++) {
    const p1 = points[i] ?? first
    const p2 = points[i + 1] ?? p1
    const p0 = points[i - 1] ?? p1
    const p3 = points[i + 2] ?? p2
    const c1: Point = [p1[0] + (p2[0] - p0[0]) / 6, p1[1] + (p2[1] - p0[1]) / 6]
    const c2: Point = [p2[0] - (p3[0] - p1[0]) / 6, p2[1] - (p3[1] - p1[1]) / 6]
    path += ` ${place(c1)} ${place(c2)} ${place(p2)} c`
  }
  return path
}

/** The distance of a Bézier curve's handles that makes a quarter of a circle. */
const quarter = 0.5523

function oval(x: number, y: number, rx: number, ry: number): string {
  const kx = rx * quarter
  const ky = ry * quarter
  const curves = [
    [x + rx, y + ky, x + kx, y + ry, x, y + ry],
    [x - kx, y + ry, x - rx, y + ky, x - rx, y],
    [x - rx, y - ky, x - kx, y - ry, x, y - ry],
    [x + kx, y - ry, x + rx, y - ky, x + rx, y],
  ]
  return `${at([x + rx, y])} m ${curves.map((curve) => `${curve.map(number).join(' ')} c`).join(' ')} h`
}

function rounded(x: number, y: number, width: number, height: number, r: number): string {
  const k = r * (1 - quarter)
  const right = x + width
  const top = y + height
  const parts = [
    `${at([x + r, y])} m ${at([right - r, y])} l`,
    `${[right - k, y, right, y + k, right, y + r].map(number).join(' ')} c ${at([right, top - r])} l`,
    `${[right, top - k, right - k, top, right - r, top].map(number).join(' ')} c ${at([x + r, top])} l`,
    `${[x + k, top, x, top - k, x, top - r].map(number).join(' ')} c ${at([x, y + r])} l`,
    `${[x, y + k, x + k, y, x + r, y].map(number).join(' ')} c h`,
  ]
  return parts.join(' ')
}
