import { at, type Pen } from './pen.ts'

export const listOf = (text = '', separator = ',') => text.split(separator).map((part) => part.trim())

/** How many boxes of a flow there is room for side by side. */
export const countFlowColumns = (text: string | undefined, width: number): number =>
  Math.min(listOf(text, '>').length, Math.floor(width / 76))

/** Boxes with arrows between them, in rows. */
export function drawFlow(pen: Pen, [text]: string[]): void {
  const { width, height, textSize, colors } = pen
  const steps = listOf(text, '>')
  const columns = countFlowColumns(text, width)
  const [slot, rowHeight] = [width / columns, height / Math.ceil(steps.length / columns)]
  const [boxWidth, boxHeight] = [slot - 20, textSize * 2.6]
  for (const [index, step] of steps.entries()) {
    const [left, y] = [(index % columns) * slot + 10, height - (Math.floor(index / columns) + 0.5) * rowHeight]
    pen.box(left, y - boxHeight / 2, boxWidth, boxHeight, { fill: colors.soft, color: colors.accent })
    pen.label(at(left + boxWidth / 2, y), step, { maxWidth: boxWidth - 8 })
    // From the end of a row it points to where the next one would be.
    if (index + 1 < steps.length) pen.arrow(at(left + boxWidth + 3, y), at(left + slot - 3, y))
  }
}

export function drawTimeline(pen: Pen, [text]: string[]): void {
  const { width, height, textSize, colors } = pen
  const events = listOf(text)
  const y = height / 2
  pen.arrow(at(0, y), at(width, y), { width: 1.4 })
  for (const [index, event] of events.entries()) {
    const x = width * ((index + 0.55) / (events.length + 0.3))
    const [year = '', ...rest] = event.split(' ')
    const side = index % 2 === 0 ? 1 : -1
    pen.oval(at(x, y), 2.6, 2.6, { fill: colors.accent, color: colors.accent })
    pen.label(at(x, y + side * textSize * 1.2), year, { face: 'bold' })
    pen.label(at(x, y + side * textSize * 2.4), rest.join(' '), { maxWidth: (width / events.length) * 1.5 })
  }
}

/** The first field holds the column heads, the others the rows. */
export function drawTable(pen: Pen, fields: string[]): void {
  const rows = fields.map((field) => listOf(field))
  const natural = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => pen.measure(row[c] ?? ''))) + 22)
  const sum = natural.reduce((total, width) => total + width, 0)
  const scale = Math.min(1.5, pen.width / sum)
  const rowHeight = pen.height / rows.length
  for (const [r, row] of rows.entries()) {
    const bottom = pen.height - rowHeight * (r + 1)
    let x = (pen.width - sum * scale) / 2
    for (const [c, cell] of row.entries()) {
      const width = (natural[c] ?? 0) * scale
      const ground = r === 0 ? pen.colors.soft : 'white'
      pen.box(x, bottom, width, rowHeight, { fill: ground, width: 0.4 })
      const face = r === 0 ? 'bold' : 'regular'
      pen.label(at(x + 8, bottom + rowHeight / 2), cell, { align: 0, face, maxWidth: width - 12 })
      x += width
    }
  }
}
