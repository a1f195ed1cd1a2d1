import type { FigureSource } from '../../courses.ts'
import type { Pen } from '../pen.ts'
import {
  countFlowRows,
  drawCycle,
  drawFlow,
  drawGraph,
  drawTable,
  drawTimeline,
  drawTree,
  drawVenn,
  tableHeight,
} from './diagrams.ts'
import { drawBars, drawBell, drawCrossing, drawCurve, drawPayoff, drawSaw, drawScatter, type Frame } from './plots.ts'
import { drawCircuit, drawIncline, drawRing, drawVectors } from './sketches.ts'

const kinds: Record<string, (pen: Pen, frame: Frame, fields: string[]) => void> = {
  curve: drawCurve,
  wave: drawCurve,
  cross: drawCrossing,
  bell: drawBell,
  scatter: drawScatter,
  saw: drawSaw,
  payoff: drawPayoff,
  bars: drawBars,
  flow: drawFlow,
  tree: drawTree,
  cycle: drawCycle,
  graph: drawGraph,
  net: (pen, frame, fields) => drawGraph(pen, frame, fields, 'layers'),
  'ring-graph': (pen, frame, fields) => drawGraph(pen, frame, fields, 'ring'),
  venn: drawVenn,
  timeline: drawTimeline,
  table: drawTable,
  ring: drawRing,
  incline: drawIncline,
  circuit: drawCircuit,
  vectors: drawVectors,
}

export function drawFigure(pen: Pen, frame: Frame, { kind, fields }: FigureSource): void {
  const draw = kinds[kind]
  if (!draw) throw new Error(`There is no figure of the kind "${kind}"`)
  draw(pen, frame, fields)
}

/** Points that a figure of this width wants. */
export function figureHeight({ kind, fields }: FigureSource, width: number, textSize: number): number {
  if (kind === 'table') return tableHeight(fields, textSize)
  if (kind === 'flow') return countFlowRows(fields[0], width) === 2 ? 108 : 58
  if (kind === 'timeline') return textSize * 9
  return Math.min(150, Math.max(96, width * 0.42))
}
