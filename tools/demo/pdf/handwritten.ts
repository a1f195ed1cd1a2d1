import type { Random } from '../random.ts'
import { Flow, type ParagraphOptions } from './flow.ts'
import { createLook, type Look } from './look.ts'
import { at, createPen } from './pen.ts'
import { type Doc, measure, write } from './text.ts'

export type HandStyle = {
  sheet: 'ruled' | 'squared' | 'dotted' | 'plain'
  /** Distance of two lines in points; everything stands on lines. */
  rule: number
  hand: string
  /** Degrees by which the writing leans. */
  slant: number
  ink: string
  /** A second pen for headings and solutions. */
  red: string
  marker: string
}

const marginLeft = 66

/** A notebook: ink on ruled, squared or dotted sheets, with a marker and a second pen. */
export function createHandwrittenLook(doc: Doc, style: HandStyle, random: Random, maxPages: number): Look {
  const { rule, ink, red, marker, slant } = style
  const size = rule * 0.8
  const family = { regular: style.hand, bold: style.hand, italic: style.hand }
  // The baseline lies a little above the printed line.
  const base: ParagraphOptions = { family, size, color: ink, slant, leading: rule, wobble: random, rise: 0.9 }
  const colors = { ink, accent: red, second: ink, soft: marker }
  const manner = { doc, family, slant, textSize: size * 0.85, random, rough: 0.9, colors }
  const page = { x: 0, y: 0, width: 0, height: 0 }
  /** Counts from the page's upper left corner, upwards. */
  const pen = createPen({ ...manner, frame: page })
  let exercises = 0

  function decorate(number: number) {
    drawSheet(doc, style)
    write(doc, String(number), doc.page.width - 30, rule * 1.3, { ...base, size: size * 0.9 }, { align: 1 })
  }
  const margin = { top: rule * 3, right: 34, bottom: rule * 1.4, left: marginLeft }
  const flow = new Flow(doc, { margin, maxPages, decorate })

  /** Writes a line with the second pen and draws lines under it. */
  function drawTitle(text: string, scale: number, lines: number[]) {
    const type = { ...base, size: size * scale, color: red }
    const width = write(doc, text, flow.left, flow.y + rule * 0.84, type, { maxWidth: flow.width })
    for (const down of lines) underline(flow.y + rule * down, width, red)
  }
  const underline = (y: number, width: number, color: string) =>
    pen.stroke([at(flow.left, -y), at(flow.left + width, -y)], { color, width: 1.1 })

  /** The swipe of a highlighter under the words that begin at the cursor. */
  function highlight(words: string) {
    const lean = random.between(-1.2, 1.2)
    const top = flow.y + rule * 0.24 + random.between(-0.8, 0.8)
    const [left, right] = [flow.left - 3, flow.left + measure(doc, words, base) * 1.02 + 4]
    const bottom = top + rule * 0.74
    doc.polygon([left, bottom], [right, bottom + lean], [right + 2, top + lean], [left + 2, top]).fill(marker)
  }

  const common = {
    flow,
    base,
    heading: base,
    list: { ...base, indent: size * 1.2, marker: '–', markerColor: red },
    caption: { ...base, size: size * 0.82, indent: 10, color: red },
    figureLabel: '',
    gap: 0,
    manner,
    formula: {
      size: size * 1.12,
      height: rule * 2,
      decorate: (width: number) =>
        pen.box(flow.left + (flow.width - width) / 2 - 12, -flow.y - rule * 1.75, width + 24, rule * 1.5, {
          color: red,
        }),
    },
  }
  return createLook(common, {
    title({ title, course, byline }) {
      drawTitle(title, 1.5, [1.05, 1.14])
      flow.down(rule * 2)
      flow.paragraph([course, byline].filter(Boolean).join(' – '), { ...base, size: size * 0.86 })
      flow.down(rule)
    },
    section({ text }) {
      flow.need(rule * 4)
      if (!flow.isAtTop) flow.down(rule)
      drawTitle(text, 1.25, [1.06])
      flow.down(rule)
    },
    heading({ text }) {
      flow.need(rule * 5)
      underline(flow.y + rule * 1.04, measure(doc, text, base), ink)
      flow.paragraph(text, base)
    },
    statement({ role, label, text }) {
      flow.need(rule * 2)
      if (role === 'solution') {
        flow.paragraph(text, { ...base, indent: size * 1.6, marker: '→', color: red })
        return
      }
      const lead = role === 'exercise' ? `Ex. ${++exercises}` : `${label}:`
      if (role === 'fact')
        write(doc, '!!', flow.left - 26, flow.y + rule * 0.9, { ...base, size: size * 1.2, color: red })
      else highlight(lead)
      flow.paragraph(`${lead} ${text}`, base)
    },
  })
}

function drawSheet(doc: Doc, { sheet, rule }: HandStyle): void {
  const { width, height } = doc.page
  const [step, blue] = [sheet === 'squared' ? rule / 2 : rule, '#b8cfe6']
  if (sheet === 'plain') return
  if (sheet === 'dotted') doc.rect(0, 0, width, height).fill('#fefbf3').dash(0.01, { space: step })
  for (let y = sheet === 'ruled' ? rule * 3 : step; y < height; y += step)
    doc.moveTo(sheet === 'dotted' ? step / 2 : 0, y).lineTo(width, y)
  if (sheet === 'squared') for (let x = step / 2; x < width; x += step) doc.moveTo(x, step).lineTo(x, height)
  // Dashes of no length are a row of dots.
  if (sheet === 'dotted') doc.lineWidth(1).stroke('#a8a8a8').undash()
  else doc.lineWidth(sheet === 'ruled' ? 0.5 : 0.3).stroke(blue)
  if (sheet !== 'ruled') return
  const edge = marginLeft - 12
  doc.moveTo(edge, 0).lineTo(edge, height).lineWidth(0.7).stroke('#e69e9e').lineWidth(0.5)
  for (const part of [0.16, 0.5, 0.84]) doc.circle(20, height * part, 6.5).fillAndStroke('#dbdbdb', '#c7c7c7')
}
