import { at, type Pen, type Point } from './pen.ts'

type Curve = (t: number) => number

const { exp, sin, cos, sqrt, log2, max, min, PI } = Math
const bump = (t: number, where: number, width: number) => exp(-(((t - where) / width) ** 2))

/** Curves over [0, 1] with values in about [0, 1]; the second, where there is one, is dashed. */
const curves: Record<string, [main: Curve, other?: Curve]> = {
  nlogn: [(t) => t * log2(1 + 15 * t) * 0.24, (t) => 0.3 * t],
  fall: [(t) => 0.08 + 0.85 * exp(-4 * t)],
  hump: [(t) => 0.08 + 3.2 * t * (1 - t)],
  valley: [(t) => 0.2 + 2.6 * (t - 0.5) ** 2],
  sigmoid: [(t) => 0.08 + 0.82 / (1 + exp(-14 * (t - 0.5)))],
  barrier: [(t) => 0.45 - 0.25 * t + 0.5 * bump(t, 0.45, 0.13), (t) => 0.45 - 0.25 * t + 0.28 * bump(t, 0.45, 0.13)],
  spike: [(t) => 0.2 + 0.75 * bump(t, 0.35, 0.067) - 0.13 * bump(t, 0.55, 0.13)],
  well: [(t) => 0.15 + 5 * (t - 0.35) ** 2 * (1.5 - t)],
  skew: [(t) => 40 * t ** 2 * exp(-7.5 * t)],
  saturating: [(t) => 0.9 * (1 - exp(-4.5 * t))],
  rolloff: [(t) => 0.9 / sqrt(1 + (t / 0.4) ** 6)],
  hyperbola: [(t) => 0.14 / (0.13 + t * 0.9)],
  exponential: [(t) => 0.12 * exp(2.1 * t)],
  solow: [(t) => 0.85 * t ** 0.45, (t) => 0.8 * t],
  overfit: [(t) => 0.06 + 0.85 * exp(-4 * t), (t) => 0.1 + 0.85 * exp(-4 * t) + 0.55 * max(0, t - 0.35) ** 1.4],
  tangent: [(t) => 0.16 / (0.12 + t), (t) => 0.8 - 0.95 * t],
  between: [(t) => 0.15 + 0.7 * t ** 2, (t) => 0.15 + 0.75 * t ** 0.6],
  damped: [(t) => 0.5 + 0.42 * exp(-2.6 * t) * cos(30 * t), (t) => 0.5 + 0.42 * exp(-2.6 * t)],
  standing: [(t) => 0.5 + 0.36 * sin(2 * PI * t)],
  two: [(t) => 0.5 + 0.36 * sin(4 * PI * t), (t) => 0.5 + 0.3 * cos(4 * PI * t)],
  ecg: [(t) => heartbeat((t * 3) % 1)],
}

function heartbeat(t: number): number {
  const spike = 0.55 * bump(t, 0.4, 0.015) - 0.08 * bump(t, 0.37, 0.012) - 0.14 * bump(t, 0.44, 0.014)
  return 0.3 + 0.09 * bump(t, 0.18, 0.04) + spike + 0.14 * bump(t, 0.65, 0.06)
}

/** Draws the axes. @returns a map from [0, 1] × [0, 1] to the pen's points. */
export function drawAxes(pen: Pen, xLabel = '', yLabel = '') {
  const { textSize } = pen
  const [left, bottom] = [textSize * 1.2, textSize * 1.6]
  const [width, height] = [pen.width - textSize * 3, pen.height - textSize * 3.2]
  pen.arrow(at(left, bottom), at(left + width + 8, bottom))
  pen.arrow(at(left, bottom), at(left, bottom + height + 8))
  pen.label(at(left + width + 6, bottom - textSize * 1.2), xLabel, { align: 1 })
  pen.label(at(left + 7, bottom + height + 3), yLabel)
  return (t: number, value: number): Point => [left + t * width, bottom + value * height]
}

export function drawCurve(pen: Pen, [xLabel, yLabel, name = '']: string[]): void {
  const plot = drawAxes(pen, xLabel, yLabel)
  const [main, other] = curves[name] ?? []
  if (!main) throw new Error(`There is no curve called "${name}"`)
  const steps = name === 'ecg' ? 240 : 90
  const sample = (curve: Curve) =>
    Array.from({ length: steps + 1 }, (_, i) => plot(i / steps, min(1.02, max(0, curve(i / steps)))))
  if (other) pen.stroke(sample(other), { color: pen.colors.second, dash: 4 })
  pen.stroke(sample(main), { color: pen.colors.accent, width: 1.5 })
}

export function drawBars(pen: Pen, [list = '']: string[]): void {
  const names = list.split(',').map((name) => name.trim())
  const plot = drawAxes(pen)
  for (const [index, name] of names.entries()) {
    const [x, y] = plot((index + 0.2) / names.length, 0)
    const [right, top] = plot((index + 0.8) / names.length, heightOfBar(pen, index, names))
    pen.box(x, y, right - x, top - y, { fill: pen.colors.soft, color: pen.colors.accent })
    const room = { align: 0.5, size: pen.textSize * 0.9, maxWidth: (right - x) * 1.6 }
    pen.label(at((x + right) / 2, y - pen.textSize * 1.15), name, room)
  }
}

/** 0 to n are the outcomes of tosses; anything else is only an example. */
function heightOfBar(pen: Pen, index: number, names: string[]): number {
  if (names.join() === '0,1,2,3,4') return [0.17, 0.6, 0.9, 0.6, 0.17][index] ?? 0
  if (names.every((name) => /^n=\d$/.test(name))) return ((index + 1) / names.length) ** 2 * 0.92
  return pen.random.between(0.22, 0.92)
}
