import type { Point } from '../canvas.ts'
import type { Pen } from '../pen.ts'
import type { Frame } from './plots.ts'

const listOf = (text = '', separator = ',') => text.split(separator).map((part) => part.trim())

/** Rows that the boxes of a flow need. */
export function countFlowRows(text: string | undefined, width: number): number {
  const steps = listOf(text, '>').length
  return width / steps < 74 && steps > 2 ? 2 : 1
}

/** Boxes in a row with arrows between them; more rows where one is too narrow. */
export function drawFlow(pen: Pen, { x, y, width, height }: Frame, [text]: string[]): void {
  const steps = listOf(text, '>')
  const rows = countFlowRows(text, width)
  const perRow = Math.ceil(steps.length / rows)
  const slot = width / perRow
  const boxHeight = Math.min(pen.textSize * 2.6, (height / rows) * 0.62)
  const boxWidth = slot - 20
  const centre = (index: number): Point => {
    const row = Math.floor(index / perRow)
    return [x + (index % perRow) * slot + slot / 2, y + height - (height / rows) * (row + 0.5)]
  }
  for (const [index, step] of steps.entries()) {
    const [cx, cy] = centre(index)
    pen.box(cx - boxWidth / 2, cy - boxHeight / 2, boxWidth, boxHeight, {
      fill: pen.colors.soft,
      color: pen.colors.accent,
      radius: 4,
    })
    pen.label(cx, cy - pen.textSize * 0.33, step, { align: 'center', maxWidth: boxWidth - 8 })
    const next = index + 1 < steps.length ? centre(index + 1) : null
    if (!next) continue
    if (next[1] === cy) pen.arrow([cx + boxWidth / 2 + 2, cy], [next[0] - boxWidth / 2 - 2, cy])
    else pen.arrow([cx, cy - boxHeight / 2 - 2], [next[0] + boxWidth / 4, next[1] + boxHeight / 2 + 2])
  }
}

/** Up to seven places of a binary tree: root, its children, theirs. Empty places are left out. */
export function drawTree(pen: Pen, { x, y, width, height }: Frame, [text]: string[]): void {
  const labels = listOf(text)
  const places: Point[] = labels.map((_, index) => {
    const level = Math.floor(Math.log2(index + 1))
    const inLevel = index + 1 - 2 ** level
    return [x + width * ((inLevel + 0.5) / 2 ** level), y + height * (0.86 - level * 0.35)]
  })
  for (const [index, place] of places.entries()) {
    const parent = places[Math.floor((index - 1) / 2)]
    if (index > 0 && parent && labels[index]) pen.line([parent, place])
  }
  for (const [index, [cx, cy]] of places.entries()) {
    const label = labels[index]
    if (!label) continue
    const rx = Math.max(pen.textSize * 1.15, pen.measure(label) / 2 + 5)
    pen.oval(cx, cy, rx, pen.textSize * 1.1, {
      fill: index === 0 ? pen.colors.soft : [1, 1, 1],
      color: pen.colors.accent,
    })
    pen.label(cx, cy - pen.textSize * 0.34, label, { align: 'center' })
  }
}

export function drawCycle(pen: Pen, { x, y, width, height }: Frame, [text]: string[]): void {
  const steps = listOf(text, '>')
  const [cx, cy] = [x + width / 2, y + height / 2]
  const [rx, ry] = [Math.min(width * 0.34, height * 0.95), height * 0.38]
  const angleOf = (index: number) => Math.PI / 2 - (2 * Math.PI * index) / steps.length
  const on = (angle: number): Point => [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]
  for (const [index, step] of steps.entries()) {
    const turn = (2 * Math.PI) / steps.length
    const from = angleOf(index) - turn * 0.25
    const points = Array.from({ length: 9 }, (_, i) => on(from - (turn * 0.5 * i) / 8))
    pen.curve(points, { color: pen.colors.accent, width: 1.3 })
    pen.arrow(points[7] ?? on(from), points[8] ?? on(from), { color: pen.colors.accent, width: 1.3 })
    const [px, py] = on(angleOf(index))
    const labelWidth = Math.min(pen.measure(step), 112)
    pen.oval(px, py, labelWidth / 2 + 5, pen.textSize * 0.9, { fill: [1, 1, 1], color: null })
    pen.label(px, py - pen.textSize * 0.33, step, { align: 'center', maxWidth: 112 })
  }
}

export function drawGraph(pen: Pen, frame: Frame, [text]: string[], kind: 'mesh' | 'layers' | 'ring' = 'mesh'): void {
  const names = listOf(text)
  const { x, y, width, height } = frame
  const places = names.map((_, index): Point => {
    if (kind === 'layers') {
      const column = index < 2 ? 0 : index < 4 ? 1 : 2
      return [x + width * (0.25 + column * 0.25), y + height * (column === 2 ? 0.5 : index % 2 === 0 ? 0.72 : 0.28)]
    }
    const angle = Math.PI - (2 * Math.PI * index) / names.length
    return [
      x + width / 2 + Math.min(width * 0.3, height) * Math.cos(angle),
      y + height / 2 + height * 0.36 * Math.sin(angle),
    ]
  })
  for (const [from, to] of edgesOf(kind, names.length)) {
    const [a, b] = [places[from], places[to]]
    if (!a || !b) continue
    if (kind === 'mesh') {
      pen.line([a, b])
      const weight = String(pen.random.int(1, 9))
      pen.label((a[0] + b[0]) / 2 + 3, (a[1] + b[1]) / 2 + 3, weight, {
        size: pen.textSize * 0.8,
        color: pen.colors.second,
      })
    } else {
      const reach = pen.textSize * 1.2
      const distance = Math.hypot(b[0] - a[0], b[1] - a[1])
      const stop: Point = [b[0] - ((b[0] - a[0]) * reach) / distance, b[1] - ((b[1] - a[1]) * reach) / distance]
      pen.arrow(a, stop)
    }
  }
  for (const [index, [px, py]] of places.entries()) {
    pen.oval(px, py, pen.textSize, pen.textSize, { fill: pen.colors.soft, color: pen.colors.accent })
    pen.label(px, py - pen.textSize * 0.34, names[index] ?? '', { align: 'center' })
  }
}

function edgesOf(kind: 'mesh' | 'layers' | 'ring', count: number): [number, number][] {
  const ring = Array.from({ length: count }, (_, i): [number, number] => [i, (i + 1) % count])
  if (kind === 'ring') return ring
  if (kind === 'layers')
    return [
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 4],
      [3, 4],
      [2, 5],
      [3, 5],
    ]
  return [...ring, [1, 5], [2, 5], [1, 4]]
}

export function drawVenn(pen: Pen, { x, y, width, height }: Frame, [left = '', right = '', both = '']: string[]): void {
  const radius = height * 0.42
  const [cx, cy] = [x + width / 2, y + height / 2]
  pen.oval(cx - radius * 0.62, cy, radius, radius, { fill: pen.colors.soft, color: pen.colors.accent })
  pen.oval(cx + radius * 0.62, cy, radius, radius, { color: pen.colors.second })
  pen.oval(cx - radius * 0.62, cy, radius, radius, { color: pen.colors.accent })
  const room = { align: 'center', maxWidth: radius * 0.95 } as const
  pen.label(cx - radius * 1.02, cy, left, room)
  pen.label(cx + radius * 1.02, cy, right, room)
  pen.label(cx, cy - pen.textSize * 0.4, both, { align: 'center', maxWidth: radius * 0.68 })
}

export function drawTimeline(pen: Pen, { x, y, width, height }: Frame, [text]: string[]): void {
  const events = listOf(text)
  const cy = y + height / 2
  pen.arrow([x, cy], [x + width, cy], { width: 1.4 })
  for (const [index, event] of events.entries()) {
    const px = x + width * ((index + 0.55) / (events.length + 0.3))
    const [year = '', ...rest] = event.split(' ')
    const above = index % 2 === 0
    pen.line(
      [
        [px, cy],
        [px, cy + (above ? 12 : -12)],
      ],
      { color: pen.colors.accent },
    )
    pen.oval(px, cy, 2.6, 2.6, { fill: pen.colors.accent, color: pen.colors.accent })
    const top = above ? cy + 15 + pen.textSize * 1.1 : cy - 16 - pen.textSize * 0.4
    pen.label(px, top, year, { align: 'center', bold: true })
    pen.label(px, top - pen.textSize * 1.15, rest.join(' '), {
      align: 'center',
      size: pen.textSize * 0.9,
      maxWidth: (width / events.length) * 1.5,
    })
  }
}

/** The first field holds the column heads, the others the rows. */
export function drawTable(pen: Pen, { x, y, width, height }: Frame, fields: string[]): void {
  const rows = fields.map((field) => listOf(field))
  const columns = Math.max(...rows.map((row) => row.length))
  const rowHeight = Math.min(height / rows.length, pen.textSize * 2.1)
  const natural = Array.from(
    { length: columns },
    (_, c) => Math.max(...rows.map((row) => pen.measure(row[c] ?? '')), 10) + 16,
  )
  const sum = natural.reduce((a, b) => a + b, 0)
  const scale = Math.min(1.5, width / sum)
  const left = x + (width - sum * scale) / 2
  const top = y + height - (height - rowHeight * rows.length) / 2
  pen.area(rectangle(left, top - rowHeight, sum * scale, rowHeight), pen.colors.soft)
  for (const [r, row] of rows.entries()) {
    let cellX = left
    for (const [c, cell] of row.entries()) {
      const room = (natural[c] ?? 0) * scale
      pen.label(cellX + 8, top - rowHeight * (r + 1) + rowHeight * 0.32, cell, {
        bold: r === 0 || (c === 0 && rows[0]?.[0] === ''),
        maxWidth: room - 12,
      })
      cellX += room
    }
    const lineY = top - rowHeight * (r + 1)
    pen.line(
      [
        [left, lineY],
        [left + sum * scale, lineY],
      ],
      { width: r === 0 ? 1.1 : 0.4 },
    )
  }
  pen.line(
    [
      [left, top],
      [left + sum * scale, top],
    ],
    { width: 1.1 },
  )
}

export const tableHeight = (fields: string[], textSize: number): number => fields.length * textSize * 2 + 6

const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
]
