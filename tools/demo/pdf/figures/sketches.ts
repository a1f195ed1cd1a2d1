import type { Point } from '../canvas.ts'
import type { Pen } from '../pen.ts'
import type { Frame } from './plots.ts'

/** A six-membered ring with its circle of electrons and a substituent. */
export function drawRing(pen: Pen, { x, y, width, height }: Frame, [substituent = '']: string[]): void {
  const radius = height * 0.34
  const [cx, cy] = [x + width / 2 - radius * 0.5, y + height / 2]
  const corner = (index: number): Point => {
    const angle = Math.PI / 2 + (Math.PI / 3) * index
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]
  }
  pen.line([0, 1, 2, 3, 4, 5, 6].map(corner), { width: 1.4 })
  const isAromatic = substituent !== 'OH'
  if (isAromatic) pen.oval(cx, cy, radius * 0.6, radius * 0.6, { color: pen.colors.accent })
  const [bx, by] = corner(5)
  pen.line(
    [
      [bx, by],
      [bx + radius * 0.7, by + radius * 0.4],
    ],
    { width: 1.4 },
  )
  pen.label(bx + radius * 0.8, by + radius * 0.4, substituent, { size: pen.textSize * 1.2 })
  const positions: [number, string][] = isAromatic
    ? [
        [0, 'o'],
        [4, 'o'],
        [1, 'm'],
        [3, 'm'],
        [2, 'p'],
      ]
    : [
        [0, '6'],
        [1, '5'],
        [2, '4'],
        [3, '3'],
        [4, '2'],
      ]
  for (const [index, name] of positions) {
    const [px, py] = corner(index)
    pen.label(cx + (px - cx) * 1.25, cy + (py - cy) * 1.25 - pen.textSize * 0.3, name, {
      align: 'center',
      size: pen.textSize * 0.9,
      color: pen.colors.second,
    })
  }
}

/** A block on a slope with weight, normal force and friction. */
export function drawIncline(pen: Pen, { x, y, width, height }: Frame): void {
  const angle = 0.5
  const base = Math.min(width * 0.55, height * 1.5)
  const left = x + (width - base) / 2
  const bottom = y + height * 0.1
  const rise = base * Math.tan(angle)
  pen.line(
    [
      [left, bottom],
      [left + base, bottom],
      [left + base, bottom + rise],
      [left, bottom],
    ],
    { width: 1.3 },
  )
  pen.label(left + 30, bottom + 4, 'θ')
  const along: Point = [Math.cos(angle), Math.sin(angle)]
  const up: Point = [-along[1], along[0]]
  const middle: Point = [left + (base / along[0]) * 0.55 * along[0], bottom + (base / along[0]) * 0.55 * along[1]]
  const at = (a: number, b: number): Point => [
    middle[0] + along[0] * a + up[0] * b,
    middle[1] + along[1] * a + up[1] * b,
  ]
  pen.area([at(-15, 0), at(15, 0), at(15, 20), at(-15, 20)], pen.colors.soft)
  pen.line([at(-15, 0), at(15, 0), at(15, 20), at(-15, 20), at(-15, 0)], { color: pen.colors.accent })
  const centre = at(0, 10)
  const forces: [Point, string][] = [
    [[centre[0], centre[1] - 44], 'mg'],
    [at(0, 52), 'N'],
    [at(46, 10), 'f'],
  ]
  for (const [tip, name] of forces) {
    pen.arrow(centre, tip, { color: pen.colors.second, width: 1.3 })
    pen.label(tip[0] + 5, tip[1] - 2, name, { color: pen.colors.second })
  }
}

/** A source on the left, two resistors on the way round. */
export function drawCircuit(pen: Pen, { x, y, width, height }: Frame): void {
  const w = Math.min(width * 0.6, 220)
  const left = x + (width - w) / 2
  const [bottom, top] = [y + height * 0.15, y + height * 0.82]
  const middle = (bottom + top) / 2
  const zigzag = (from: Point, to: Point): Point[] => {
    const across: Point = [(to[1] - from[1]) / 8, (to[0] - from[0]) / 8]
    const sides = [0, 1, -1, 1, -1, 1, -1, 0]
    return sides.map((side, i) => {
      const part = i / (sides.length - 1)
      return [
        from[0] + (to[0] - from[0]) * part + across[0] * side * 1.2,
        from[1] + (to[1] - from[1]) * part + across[1] * side * 1.2,
      ]
    })
  }
  pen.line([
    [left, middle + 16],
    [left, top],
    [left + w * 0.35, top],
  ])
  pen.line(zigzag([left + w * 0.35, top], [left + w * 0.65, top]), { color: pen.colors.accent, width: 1.2 })
  pen.line([
    [left + w * 0.65, top],
    [left + w, top],
    [left + w, middle + 20],
  ])
  pen.line(zigzag([left + w, middle + 20], [left + w, middle - 20]), { color: pen.colors.accent, width: 1.2 })
  pen.line([
    [left + w, middle - 20],
    [left + w, bottom],
    [left, bottom],
    [left, middle - 16],
  ])
  pen.oval(left, middle, 16, 16)
  pen.label(left, middle + 3, '+', { align: 'center' })
  pen.label(left, middle - 11, '−', { align: 'center' })
  pen.label(left - 22, middle - 4, 'V', { align: 'right' })
  pen.label(left + w / 2, top + 12, 'R₁', { align: 'center' })
  pen.label(left + w + 12, middle - 4, 'R₂')
  pen.arrow([left + w * 0.1, top - 12], [left + w * 0.28, top - 12], { color: pen.colors.second })
  pen.label(left + w * 0.19, top - 12 - pen.textSize * 1.2, 'i', { align: 'center', color: pen.colors.second })
}

/** Two arrows from the origin and the area between them. */
export function drawVectors(pen: Pen, { x, y, width, height }: Frame): void {
  const origin: Point = [x + width * 0.34, y + height * 0.2]
  const u: Point = [Math.min(width * 0.34, height * 1.2), height * 0.14]
  const v: Point = [Math.min(width * 0.12, height * 0.4), height * 0.56]
  const at = (a: number, b: number): Point => [origin[0] + u[0] * a + v[0] * b, origin[1] + u[1] * a + v[1] * b]
  pen.area([at(0, 0), at(1, 0), at(1, 1), at(0, 1)], pen.colors.soft)
  pen.line([at(1, 0), at(1, 1), at(0, 1)], { dash: [3, 2] })
  pen.arrow([origin[0] - 20, origin[1]], [origin[0] + u[0] * 1.35, origin[1]], { width: 0.6 })
  pen.arrow([origin[0], origin[1] - 14], [origin[0], y + height * 0.96], { width: 0.6 })
  const arrows: [Point, string][] = [
    [at(1, 0), 'u'],
    [at(0, 1), 'v'],
    [at(1, 1), 'u + v'],
  ]
  for (const [tip, name] of arrows) {
    pen.arrow(origin, tip, { color: pen.colors.accent, width: 1.5 })
    pen.label(tip[0] + 5, tip[1] + 2, name)
  }
}
