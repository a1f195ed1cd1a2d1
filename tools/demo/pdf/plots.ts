import { listOf } from './diagrams.ts'
import { at, type Pen, type Point } from './pen.ts'

type Curve = (t: number) => number

const { exp, sin, cos, max, min, PI } = Math
const bump = (t: number, where: number, width: number) => exp(-(((t - where) / width) ** 2))

/** Curves over [0, 1] with values in about [0, 1]; the second, where there is one, is dashed. */
const curves: Record<string, [main: Curve, other?: Curve]> = {
  fall: [(t) => 0.08 + 0.85 * exp(-4 * t)],
  hump: [(t) => 0.08 + 3.2 * t * (1 - t)],
  valley: [(t) => 0.2 + 2.6 * (t - 0.5) ** 2],
  sigmoid: [(t) => 0.08 + 0.82 / (1 + exp(-14 * (t - 0.5)))],
  barrier: [(t) => 0.45 - 0.25 * t + 0.5 * bump(t, 0.45, 0.13), (t) => 0.45 - 0.25 * t + 0.28 * bump(t, 0.45, 0.13)],
  spike: [(t) => 0.2 + 0.75 * bump(t, 0.35, 0.067) - 0.13 * bump(t, 0.55, 0.13)],
  skew: [(t) => 40 * t ** 2 * exp(-7.5 * t)],
  saturating: [(t) => 0.9 * (1 - exp(-4.5 * t))],
  exponential: [(t) => 0.12 * exp(2.1 * t)],
  solow: [(t) => 0.85 * t ** 0.45, (t) => 0.8 * t],
  overfit: [(t) => 0.06 + 0.85 * exp(-4 * t), (t) => 0.1 + 0.85 * exp(-4 * t) + 0.55 * max(0, t - 0.35) ** 1.4],
  tangent: [(t) => 0.16 / (0.12 + t), (t) => 0.8 - 0.95 * t],
  damped: [(t) => 0.5 + 0.42 * exp(-2.6 * t) * cos(30 * t), (t) => 0.5 + 0.42 * exp(-2.6 * t)],
  standing: [(t) => 0.5 + 0.36 * sin(2 * PI * t)],
}

/** Draws the axes. @returns a map from [0, 1] × [0, 1] to the pen's points. */
export function drawAxes(pen: Pen, xLabel = '', yLabel = '') {
  const { textSize } = pen
  const [left, bottom] = [textSize, textSize * 1.6]
  const [width, height] = [pen.width - textSize * 3, pen.height - textSize * 3]
  pen.arrow(at(left, bottom), at(left + width + 8, bottom))
  pen.arrow(at(left, bottom), at(left, bottom + height + 8))
  pen.label(at(left + width, bottom - textSize * 0.9), xLabel, { align: 1 })
  pen.label(at(left + 7, bottom + height + textSize * 0.6), yLabel, { align: 0 })
  return (t: number, value: number): Point => [left + t * width, bottom + value * height]
}

export function drawCurve(pen: Pen, [xLabel, yLabel, name = '']: string[]): void {
  const plot = drawAxes(pen, xLabel, yLabel)
  const [main, other] = curves[name] ?? []
  if (!main) throw new Error(`There is no curve called "${name}"`)
  const steps = Array.from({ length: 91 }, (_, index) => index / 90)
  const sample = (curve: Curve) => steps.map((t) => plot(t, min(1.02, max(0, curve(t)))))
  if (other) pen.stroke(sample(other), { color: pen.colors.second, dash: 4 })
  pen.stroke(sample(main), { color: pen.colors.accent, width: 1.5 })
}

/** Each bar is `name value`. */
export function drawBars(pen: Pen, [list]: string[]): void {
  const bars = listOf(list).map((bar) => ({ name: bar.replace(/ \S+$/, ''), value: Number(bar.split(' ').at(-1)) }))
  const plot = drawAxes(pen)
  const highest = max(...bars.map(({ value }) => value))
  for (const [index, { name, value }] of bars.entries()) {
    const [x, y] = plot((index + 0.2) / bars.length, 0)
    const [right, top] = plot((index + 0.8) / bars.length, (0.92 * value) / highest)
    pen.box(x, y, right - x, top - y, { fill: pen.colors.soft, color: pen.colors.accent })
    pen.label(at((x + right) / 2, y - pen.textSize * 0.8), name, { maxWidth: (right - x) * 1.6 })
  }
}
