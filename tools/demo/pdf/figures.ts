import { readFileSync } from 'node:fs'
import type { FigureSource } from '../courses.ts'
import { countFlowColumns, drawFlow, drawTable, drawTimeline } from './diagrams.ts'
import { at, type Pen } from './pen.ts'
import { drawAxes, drawBars, drawCurve } from './plots.ts'

const drawings: Record<string, (pen: Pen, fields: string[]) => void> = {
  flow: drawFlow,
  timeline: drawTimeline,
  table: drawTable,
  curve: drawCurve,
  bars: drawBars,
}
const [, ...sketches] = readFileSync(new URL('../figures.txt', import.meta.url), 'utf8').split(/^# /m)
for (const sketch of sketches) {
  const [name = '', ...lines] = sketch.trim().split('\n')
  drawings[name] = (pen, fields) => drawSketch(pen, lines, fields)
}

export function drawFigure(pen: Pen, { kind, fields }: FigureSource): void {
  const draw = drawings[kind]
  if (!draw) throw new Error(`There is no figure of the kind "${kind}"`)
  draw(pen, fields)
}

/** Points that a figure of this width wants. */
export function figureHeight({ kind, fields }: FigureSource, width: number, textSize: number): number {
  if (kind === 'table') return fields.length * textSize * 1.9 + 6
  if (kind === 'flow')
    return textSize * 4 * Math.ceil((fields[0] ?? '').split('>').length / countFlowColumns(fields[0], width))
  return textSize * (kind === 'timeline' ? 8 : 13)
}

const aligns: Record<string, number> = { left: 0, centre: 0.5, right: 1 }

/** Draws what `figures.txt` says of a figure. */
function drawSketch(pen: Pen, lines: string[], fields: string[]): void {
  const plot = lines[0] === 'axes' ? drawAxes(pen, fields[0], fields[1]) : undefined
  for (const line of lines.slice(plot ? 1 : 0)) {
    const filled = line.replace(/\{(\d)\}/g, (_, number) => fields[number - 1] ?? '')
    if (filled.endsWith(' ')) continue
    const [verb = '', colorName = '', ...words] = filled.split(' ')
    const points = words
      .filter((word) => /^[-.\d]+,[-.\d]+$/.test(word))
      .map((word) => {
        const [x = 0, y = 0] = word.split(',').map(Number)
        return plot?.(x, y) ?? at(pen.width / 2 + x * pen.height, y * pen.height)
      })
    const [first = at(0, 0), second = first] = points
    const color = pen.colors[colorName as keyof Pen['colors']] ?? colorName
    const label = words.slice(verb === 'text' ? 2 : 1).join(' ')
    const align = aligns[words[1] ?? '']
    const radius = Number(words[1]) * pen.height
    const draw: Record<string, () => void> = {
      line: () => pen.stroke(points, { color, width: 1.2 }),
      dashed: () => pen.stroke(points, { color, dash: 3 }),
      fill: () => pen.stroke(points, { color: null, fill: color }),
      arrow: () => pen.arrow(first, second, { color, width: 1.2 }),
      dots: () => {
        for (const point of points) pen.oval(point, 1.8, 1.8, { color: null, fill: color })
      },
      circle: () => pen.oval(first, radius, radius, { color }),
      node: () => pen.node(first, label, { fill: color }),
      text: () => pen.label(first, label, { align, color, maxWidth: pen.height * 0.6 }),
    }
    draw[verb]?.()
  }
}
