import { arc, at, type Pen } from './pen.ts'

const listOf = (text = '', separator = ',') => text.split(separator).map((part) => part.trim())

/** How many boxes of a flow there is room for side by side. */
export const countFlowColumns = (text: string | undefined, width: number): number =>
  Math.min(listOf(text, '>').length, Math.floor(width / 76))

/** Boxes with arrows between them, in rows. */
function drawFlow(pen: Pen, [text]: string[]): void {
  const { width, height, textSize, colors } = pen
  const steps = listOf(text, '>')
  const columns = countFlowColumns(text, width)
  const [slot, rowHeight] = [width / columns, height / Math.ceil(steps.length / columns)]
  const [boxWidth, boxHeight] = [slot - 20, textSize * 2.6]
  const place = (index: number) =>
    at(((index % columns) + 0.5) * slot, height - (Math.floor(index / columns) + 0.5) * rowHeight)
  for (const [index, step] of steps.entries()) {
    const [x, y] = place(index)
    pen.box(x - boxWidth / 2, y - boxHeight / 2, boxWidth, boxHeight, { fill: colors.soft, color: colors.accent })
    pen.label(at(x, y - textSize * 0.33), step, { align: 0.5, maxWidth: boxWidth - 8 })
    if (index === 0) continue
    const [fromX, fromY] = place(index - 1)
    if (fromY === y) pen.arrow(at(x - slot + boxWidth / 2 + 2, y), at(x - boxWidth / 2 - 2, y))
    else
      pen.arrow(at(fromX, fromY - boxHeight / 2 - 2), at(x + (fromX === x ? 0 : boxWidth / 4), y + boxHeight / 2 + 2))
  }
}

function drawCycle(pen: Pen, [text]: string[]): void {
  const { width, height, textSize, colors } = pen
  const steps = listOf(text, '>')
  const turn = (2 * Math.PI) / steps.length
  const way = (from: number, to: number) => {
    const [rx, ry] = [Math.min(width * 0.34, height * 0.95), height * 0.38]
    return arc(at(width / 2, height / 2), rx, ry, Math.PI / 2 - from * turn, Math.PI / 2 - to * turn)
  }
  const paint = { color: colors.accent, width: 1.3 }
  for (const [index, step] of steps.entries()) {
    const points = way(index + 0.28, index + 0.72)
    const [before = at(0, 0), tip = before] = points.slice(-2)
    pen.stroke(points, paint)
    pen.arrow(before, tip, paint)
    const [[x, y] = at(0, 0)] = way(index, index)
    pen.oval(at(x, y), Math.min(pen.measure(step), 112) / 2 + 5, textSize * 0.9, { fill: 'white', color: null })
    pen.label(at(x, y - textSize * 0.33), step, { align: 0.5, maxWidth: 112 })
  }
}

function drawTimeline(pen: Pen, [text]: string[]): void {
  const { width, height, textSize, colors } = pen
  const events = listOf(text)
  const y = height / 2
  pen.arrow(at(0, y), at(width, y), { width: 1.4 })
  for (const [index, event] of events.entries()) {
    const x = width * ((index + 0.55) / (events.length + 0.3))
    const isAbove = index % 2 === 0
    pen.stroke([at(x, y), at(x, y + (isAbove ? 12 : -12))], { color: colors.accent })
    pen.oval(at(x, y), 2.6, 2.6, { fill: colors.accent, color: colors.accent })
    const [year = '', ...rest] = event.split(' ')
    const top = isAbove ? y + 15 + textSize * 1.1 : y - 16 - textSize * 0.4
    pen.label(at(x, top), year, { align: 0.5, face: 'bold' })
    const room = { align: 0.5, size: textSize * 0.9, maxWidth: (width / events.length) * 1.5 }
    pen.label(at(x, top - textSize * 1.15), rest.join(' '), room)
  }
}

/** The first field holds the column heads, the others the rows. */
function drawTable(pen: Pen, fields: string[]): void {
  const rows = fields.map((field) => listOf(field))
  const natural = (rows[0] ?? []).map((_, c) => Math.max(10, ...rows.map((row) => pen.measure(row[c] ?? ''))) + 18)
  const sum = natural.reduce((total, width) => total + width, 0)
  const columns = natural.map((width) => width * Math.min(1.5, pen.width / sum))
  const width = columns.reduce((total, one) => total + one, 0)
  const rowHeight = Math.min(pen.height / rows.length, pen.textSize * 2.1)
  const [left, top] = [(pen.width - width) / 2, (pen.height + rowHeight * rows.length) / 2]
  const rule = (y: number, weight: number) => pen.stroke([at(left, y), at(left + width, y)], { width: weight })
  pen.box(left, top - rowHeight, width, rowHeight, { fill: pen.colors.soft, color: null })
  rule(top, 1.1)
  for (const [r, row] of rows.entries()) {
    const bottom = top - rowHeight * (r + 1)
    let x = left
    for (const [c, cell] of row.entries()) {
      const isHead = r === 0 || (c === 0 && rows[0]?.[0] === '')
      const maxWidth = (columns[c] ?? 0) - 12
      pen.label(at(x + 8, bottom + rowHeight * 0.32), cell, { face: isHead ? 'bold' : 'regular', maxWidth })
      x += maxWidth + 12
    }
    rule(bottom, r === 0 ? 1.1 : 0.4)
  }
}

export const diagrams = { flow: drawFlow, cycle: drawCycle, timeline: drawTimeline, table: drawTable }
