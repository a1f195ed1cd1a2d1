import type { Random } from '../random.ts'
import type { Color } from './canvas.ts'
import type { Flow } from './flow.ts'
import { blankWidth, joinWords, shapeLine, shapeWords, type TextStyle, type Word } from './shape.ts'

export type Segment = { text: string; weight?: TextStyle['weight'] }

export type ParagraphOptions = {
  style: TextStyle
  /** From baseline to baseline, in points. */
  leading: number
  color: Color
  align?: 'left' | 'justify' | 'center'
  /** From the left edge of the column. */
  indent?: number
  rightIndent?: number
  firstIndent?: number
  /** Stands in the indent of the first line: a bullet or a number. */
  marker?: string
  markerColor?: Color
  /** A hand does not keep the line. */
  wobble?: Random
  /** How much of the leading lies above the baseline. */
  rise?: number
}

type Line = { words: Word[]; width: number; isLast: boolean }

/** Breaks a text into lines and draws them, on to the next column where this one ends. */
export function drawParagraph(flow: Flow, text: string | Segment[], options: ParagraphOptions): void {
  const { style, leading, color, indent = 0, rightIndent = 0, firstIndent = 0, rise = 0.76 } = options
  const width = flow.width - indent - rightIndent
  const lines = breakLines(shapeSegments(text, style), style, width, firstIndent)
  for (const [index, line] of lines.entries()) {
    // Neither the first nor the last line stays alone.
    const isPenultimate = index === lines.length - 2 && index > 0
    flow.need(leading * (isPenultimate || (index === 0 && lines.length > 1) ? 2 : 1))
    const baseline = flow.y - leading * rise
    const left = flow.x + indent + (index === 0 ? firstIndent : 0)
    if (index === 0 && options.marker) drawMarker(flow, options.marker, left, baseline, options)
    drawLine(flow, line, left, baseline, width - (index === 0 ? firstIndent : 0), options)
    flow.down(leading)
  }

  function drawLine(at: Flow, line: Line, left: number, baseline: number, room: number, given: ParagraphOptions) {
    const { align = 'left', wobble } = given
    if (wobble) {
      let x = left + wobble.normal(0, 0.8)
      for (const word of line.words) {
        at.canvas.text(x, baseline + wobble.normal(0, 0.45), word.runs, color)
        x += word.width + blankWidth(style) * wobble.between(0.85, 1.2)
      }
      return
    }
    const joined = joinWords(line.words, style)
    const offset = align === 'center' ? (room - joined.width) / 2 : 0
    const gaps = line.words.length - 1
    if (align !== 'justify' || line.isLast || gaps === 0) at.canvas.text(left + offset, baseline, joined.runs, color)
    else at.canvas.text(left, baseline, spread(line.words, style, (room - line.width) / gaps), color)
  }
}

function drawMarker(flow: Flow, marker: string, left: number, baseline: number, options: ParagraphOptions): void {
  const { runs, width } = shapeLine(marker, options.style)
  flow.canvas.text(left - width - options.style.size * 0.45, baseline, runs, options.markerColor ?? options.color)
}

/** The runs of a justified line: every word where it belongs. */
function spread(words: Word[], style: TextStyle, extra: number) {
  const blank = blankWidth(style)
  let x = 0
  return words.flatMap((word) => {
    const runs = word.runs.map((run) => ({ ...run, dx: run.dx + x }))
    x += word.width + blank + extra
    return runs
  })
}

function shapeSegments(text: string | Segment[], style: TextStyle): Word[] {
  const segments = typeof text === 'string' ? [{ text }] : text
  return segments.flatMap(({ text: part, weight }: Segment) => shapeWords(part, weight ? { ...style, weight } : style))
}

function breakLines(words: Word[], style: TextStyle, width: number, firstIndent: number): Line[] {
  const blank = blankWidth(style)
  const lines: Line[] = []
  let line: Line = { words: [], width: 0, isLast: false }
  for (const word of words) {
    const room = width - (lines.length === 0 ? firstIndent : 0)
    const wider = line.width + (line.words.length > 0 ? blank : 0) + word.width
    if (line.words.length > 0 && wider > room) {
      lines.push(line)
      line = { words: [word], width: word.width, isLast: false }
    } else {
      line.words.push(word)
      line.width = wider
    }
  }
  return [...lines, { ...line, isLast: true }]
}

/** How many lines a text will take. */
export function countLines(text: string | Segment[], style: TextStyle, width: number, firstIndent = 0): number {
  return breakLines(shapeSegments(text, style), style, width, firstIndent).length
}
