import { readFileSync } from 'node:fs'
import type { FigureSource } from '../courses.ts'
import { countFlowColumns, diagrams } from './diagrams.ts'
import { at, createPen, type Manner, type Pen } from './pen.ts'
import { drawAxes, drawBars, drawCurve } from './plots.ts'

export type Draw = (pen: Pen, fields: string[]) => void

const [, ...sketches] = readFileSync(new URL('../figures.txt', import.meta.url), 'utf8').split(/^# /m)
const kinds = new Map<string, Draw>([
  ...Object.entries({ ...diagrams, curve: drawCurve, bars: drawBars }),
  ...sketches.map((sketch): [string, Draw] => {
    const [name = '', ...lines] = sketch.trim().split('\n')
    return [name, (pen, fields) => drawSketch(pen, lines, fields)]
  }),
])

export function drawFigure(manner: Manner, { kind, fields }: FigureSource): void {
  const draw = kinds.get(kind)
  if (!draw) throw new Error(`There is no figure of the kind "${kind}"`)
  draw(createPen(manner), fields)
}

/** Points that a figure of this width wants. */
export function figureHeight({ kind, fields }: FigureSource, width: number, textSize: number): number {
  if (kind === 'table') return fields.length * textSize * 2 + 6
  if (kind === 'flow') return 54 * Math.ceil((fields[0] ?? '').split('>').length / countFlowColumns(fields[0], width))
  if (kind === 'timeline') return textSize * 9
  return Math.min(150, Math.max(96, width * 0.42))
}

const aligns: Record<string, number> = { left: 0, centre: 0.5, right: 1 }

/** Draws what `figures.txt` says of a figure. */
function drawSketch(pen: Pen, lines: string[], fields: string[]): void {
  const plot = lines[0] === 'axes' ? drawAxes(pen, fields[0], fields[1]) : undefined
  const fieldOf = (_: string, number: string) => fields[Number(number) - 1] ?? ''
  for (const line of lines.slice(plot ? 1 : 0)) {
    const filled = line.replace(/\{(\d)\}/g, fieldOf)
    if (filled.endsWith(' ')) continue
    const [verb, colorName = '', ...words] = filled.split(' ')
    const points = words.flatMap((word) => {
      const [x, y] = word.split(',').map(Number)
      if (x === undefined || y === undefined || Number.isNaN(x + y)) return []
      return [plot?.(x, y) ?? at(pen.width / 2 + x * pen.height, y * pen.height)]
    })
    const [first = at(0, 0), second = first] = points
    const text = words.slice(verb === 'text' ? 2 : 1).join(' ')
    const color = pen.colors[colorName as keyof Pen['colors']] ?? colorName
    const paint = { color, width: colorName === 'ink' ? undefined : 1.4 }
    const radius = Number(words[1]) * pen.height
    if (verb === 'line') pen.stroke(points, paint)
    else if (verb === 'dashed') pen.stroke(points, { color, dash: 3 })
    else if (verb === 'fill') pen.stroke(points, { color: null, fill: color })
    else if (verb === 'arrow') pen.arrow(first, second, paint)
    else if (verb === 'dot') for (const point of points) pen.oval(point, 1.8, 1.8, { color: null, fill: color })
    else if (verb === 'circle') pen.oval(first, radius, radius, { color })
    else if (verb === 'disc') pen.oval(first, radius, radius, { color, fill: pen.colors.soft })
    else if (verb === 'node') pen.node(first, text, { fill: color })
    else {
      const below = at(first[0], first[1] - pen.textSize * 0.34)
      pen.label(below, text, { align: aligns[words[1] ?? ''], color, maxWidth: pen.height * 0.6 })
    }
  }
}
