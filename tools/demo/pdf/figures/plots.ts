import type { Point } from '../canvas.ts'
import type { Pen } from '../pen.ts'

/** Where a figure goes: its lower left corner and its size. */
export type Frame = { x: number; y: number; width: number; height: number }

type Shape = (t: number) => number

/** Curves over [0, 1] with values in about [0, 1]. */
const shapes: Record<string, Shape> = {
  nlogn: (t) => t * Math.log2(1 + 15 * t) * 0.24,
  fall: (t) => 0.08 + 0.85 * Math.exp(-4 * t),
  hump: (t) => 0.08 + 3.2 * t * (1 - t),
  valley: (t) => 0.2 + 2.6 * (t - 0.5) ** 2,
  sigmoid: (t) => 0.08 + 0.82 / (1 + Math.exp(-14 * (t - 0.5))),
  barrier: (t) => 0.45 - 0.25 * t + 0.5 * Math.exp(-60 * (t - 0.45) ** 2),
  spike: (t) => 0.2 + 0.75 * Math.exp(-220 * (t - 0.35) ** 2) - 0.13 * Math.exp(-60 * (t - 0.55) ** 2),
  well: (t) => 0.15 + 5 * (t - 0.35) ** 2 * (1.5 - t),
  skew: (t) => 32 * t ** 2 * Math.exp(-7.5 * t) * 1.25,
  saturating: (t) => 0.9 * (1 - Math.exp(-4.5 * t)),
  rolloff: (t) => 0.9 / Math.sqrt(1 + (t / 0.4) ** 6),
  hyperbola: (t) => 0.14 / (0.13 + t * 0.9),
  exponential: (t) => 0.12 * Math.exp(2.1 * t),
  solow: (t) => 0.85 * t ** 0.45,
  overfit: (t) => 0.85 * Math.exp(-4 * t) + 0.06,
  tangent: (t) => 0.16 / (0.12 + t),
  between: (t) => 0.15 + 0.7 * t ** 2,
  damped: (t) => 0.5 + 0.42 * Math.exp(-2.6 * t) * Math.cos(30 * t),
  standing: (t) => 0.5 + 0.36 * Math.sin(2 * Math.PI * t),
  ecg: (t) => {
    const beat = (t * 3) % 1
    const bump = (at: number, height: number, width: number) => height * Math.exp(-(((beat - at) / width) ** 2))
    return (
      0.3 +
      bump(0.18, 0.09, 0.04) +
      bump(0.37, -0.08, 0.012) +
      bump(0.4, 0.55, 0.015) +
      bump(0.44, -0.14, 0.014) +
      bump(0.65, 0.14, 0.06)
    )
  },
  two: (t) => 0.5 + 0.36 * Math.sin(4 * Math.PI * t),
}

/** The second line of a plot, where its shape has one. */
const companions: Record<string, Shape> = {
  nlogn: (t) => 0.3 * t,
  overfit: (t) => 0.85 * Math.exp(-4 * t) + 0.1 + 0.55 * Math.max(0, t - 0.35) ** 1.4,
  solow: (t) => 0.8 * t,
  tangent: (t) => 0.8 - 0.95 * t,
  between: (t) => 0.15 + 0.75 * t ** 0.6,
  damped: (t) => 0.5 + 0.42 * Math.exp(-2.6 * t),
  two: (t) => 0.5 + 0.3 * Math.sin(4 * Math.PI * t + Math.PI / 2),
  barrier: (t) => 0.45 - 0.25 * t + 0.28 * Math.exp(-60 * (t - 0.45) ** 2),
}

export function drawCurve(pen: Pen, frame: Frame, [xLabel = '', yLabel = '', kind = '']: string[]): void {
  const plot = axes(pen, frame, xLabel, yLabel)
  const shape = shapes[kind]
  if (!shape) throw new Error(`There is no curve called "${kind}"`)
  const companion = companions[kind]
  if (companion) pen.curve(sample(companion, plot), { color: pen.colors.second, dash: [4, 3] })
  pen.curve(sample(shape, plot, kind === 'ecg' ? 160 : 60), { color: pen.colors.accent, width: 1.5 })
}

export function drawCrossing(pen: Pen, frame: Frame, [xLabel = '', yLabel = '', up = '', down = '']: string[]): void {
  const plot = axes(pen, frame, xLabel, yLabel)
  pen.line([plot(0.1, 0.12), plot(0.86, 0.86)], { color: pen.colors.accent, width: 1.5 })
  pen.line([plot(0.1, 0.86), plot(0.86, 0.12)], { color: pen.colors.second, width: 1.5 })
  const meet = plot(0.48, 0.49)
  const dash = { dash: [2, 2] }
  pen.line([plot(0, 0.49), meet], dash)
  pen.line([plot(0.48, 0), meet], dash)
  pen.oval(meet[0], meet[1], 2.2, 2.2, { fill: pen.colors.ink })
  const [upX, upY] = plot(0.89, 0.86)
  const [downX, downY] = plot(0.89, 0.1)
  pen.label(upX, upY, up)
  pen.label(downX, downY, down)
}

export function drawBell(pen: Pen, frame: Frame): void {
  const plot = axes(pen, frame, 'z', '')
  const bell = (t: number) => 0.9 * Math.exp(-((6.4 * (t - 0.5)) ** 2) / 2)
  const from = 0.5 - 1.96 / 6.4
  const to = 0.5 + 1.96 / 6.4
  const inside = Array.from({ length: 40 }, (_, i) => from + ((to - from) * i) / 39)
  pen.area([plot(from, 0), ...inside.map((t) => plot(t, bell(t))), plot(to, 0)], pen.colors.soft)
  pen.curve(sample(bell, plot), { color: pen.colors.accent, width: 1.4 })
  for (const z of [-3, -2, -1, 0, 1, 2, 3]) {
    const [x, y] = plot(0.5 + z / 6.4, 0)
    pen.label(x, y - pen.textSize * 1.1, String(z).replace('-', '−'), { align: 'center', size: pen.textSize * 0.85 })
  }
  const [x, y] = plot(0.5, 0.3)
  pen.label(x, y, '95 %', { align: 'center' })
}

export function drawScatter(pen: Pen, frame: Frame, [xLabel = '', yLabel = '']: string[]): void {
  const plot = axes(pen, frame, xLabel, yLabel)
  for (let i = 0; i < 26; i++) {
    const t = pen.random.between(0.05, 0.95)
    const [x, y] = plot(t, Math.min(0.95, Math.max(0.04, 0.12 + 0.7 * t + pen.random.normal(0, 0.09))))
    pen.oval(x, y, 1.7, 1.7, { fill: pen.colors.second, color: null })
  }
  pen.line([plot(0.02, 0.13), plot(0.98, 0.81)], { color: pen.colors.accent, width: 1.3 })
}

export function drawSaw(pen: Pen, frame: Frame, [xLabel = '', yLabel = '']: string[]): void {
  const plot = axes(pen, frame, xLabel, yLabel)
  const start = Array.from({ length: 9 }, (_, i) => plot(i * 0.02, 0.02 * 2 ** (i * 0.68)))
  pen.curve(start, { color: pen.colors.accent, width: 1.5 })
  const teeth: [number, number][] = [
    [0.16, 0.87],
    [0.16, 0.44],
    [0.5, 0.8],
    [0.5, 0.4],
    [0.86, 0.82],
    [0.86, 0.41],
    [0.98, 0.54],
  ]
  pen.line(
    teeth.map(([t, height]) => plot(t, height)),
    { color: pen.colors.accent, width: 1.5 },
  )
}

export function drawPayoff(pen: Pen, frame: Frame, [xLabel = '', yLabel = '']: string[]): void {
  const plot = axes(pen, frame, xLabel, yLabel)
  pen.line([plot(0, 0.06), plot(0.5, 0.06), plot(0.92, 0.82)], { color: pen.colors.accent, width: 1.6 })
  pen.line([plot(0, 0.02), plot(0.5, 0.02)], { color: pen.colors.second, dash: [3, 2] })
  const [x, y] = plot(0.5, 0)
  pen.label(x, y - pen.textSize * 1.15, 'K', { align: 'center' })
}

export function drawBars(pen: Pen, frame: Frame, [list = '']: string[]): void {
  const names = list.split(',').map((name) => name.trim())
  const plot = axes(pen, frame, '', '')
  const slot = 1 / names.length
  for (const [index, name] of names.entries()) {
    const height = heightOfBar(pen, index, names)
    const [x, y] = plot(index * slot + slot * 0.2, 0)
    const [right, top] = plot((index + 1) * slot - slot * 0.2, height)
    pen.box(x, y, right - x, top - y, { fill: pen.colors.soft, color: pen.colors.accent })
    pen.label((x + right) / 2, y - pen.textSize * 1.15, name, {
      align: 'center',
      size: pen.textSize * 0.9,
      maxWidth: (right - x) * 1.6,
    })
  }
}

/** 0 to n are the outcomes of tosses; anything else is only an example. */
function heightOfBar(pen: Pen, index: number, names: string[]): number {
  if (names.join() === '0,1,2,3,4') return [0.17, 0.6, 0.9, 0.6, 0.17][index] ?? 0
  if (names.every((name) => /^n=\d$/.test(name))) return ((index + 1) / names.length) ** 2 * 0.92
  return pen.random.between(0.22, 0.92)
}

/** Draws the axes. @returns a map from [0, 1] × [0, 1] into the frame. */
function axes(pen: Pen, { x, y, width, height }: Frame, xLabel: string, yLabel: string) {
  const bottom = y + pen.textSize * 1.6
  const left = x + pen.textSize * 1.2
  const inner = { width: width - pen.textSize * 3, height: height - pen.textSize * 3.2 }
  pen.arrow([left, bottom], [left + inner.width + 8, bottom])
  pen.arrow([left, bottom], [left, bottom + inner.height + 8])
  pen.label(left + inner.width + 6, bottom - pen.textSize * 1.2, xLabel, { align: 'right' })
  pen.label(left + 7, bottom + inner.height + 3, yLabel)
  return (t: number, value: number): Point => [left + t * inner.width, bottom + value * inner.height]
}

const sample = (shape: Shape, plot: (t: number, value: number) => Point, count = 60) =>
  Array.from({ length: count + 1 }, (_, i) => plot(i / count, Math.min(1.02, Math.max(0, shape(i / count)))))
