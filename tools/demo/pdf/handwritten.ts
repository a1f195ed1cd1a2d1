import type { Random } from '../random.ts'
import { Flow, type ParagraphOptions, rise } from './flow.ts'
import { createLook, type Look } from './look.ts'
import { inks, markers, secondInks } from './palettes.ts'
import { type Doc, measure, write } from './text.ts'

export const notebookMargins = { top: 74, right: 34, bottom: 34, left: 66 }

/** A notebook: ink on ruled, squared or plain sheets, with a highlighter and a second pen. */
export function createHandwrittenLook(doc: Doc, hand: string, own: Random, random: Random, maxPages: number): Look {
  const family = { regular: hand, bold: hand, italic: hand }
  const sheet = own.pick(['ruled', 'ruled', 'squared', 'plain'] as const)
  const leading = own.between(20, 24)
  const size = leading * 0.8
  const base: ParagraphOptions = {
    family,
    size,
    leading,
    color: own.pick(inks),
    slant: own.between(-3, 7),
    wobble: random,
  }
  const [accent = '', second = ''] = own.shuffle(secondInks)
  const marker = random.pick(markers)
  function decorate(number: number) {
    drawSheet(doc, sheet, leading)
    write(doc, String(number), doc.page.width - 30, 30, base, { align: 1 })
  }
  const flow = new Flow(doc, { maxPages, decorate })
  let exercises = 0

  /** The swipe of a highlighter under the words that begin at the cursor. */
  function highlight(words: string) {
    const [left, right] = [flow.left - 3, flow.left + measure(doc, words, base) + 4]
    const [top, bottom] = [flow.y + leading * 0.16, flow.y + leading * 0.88]
    const lean = random.between(-1.2, 1.2)
    doc.polygon([left, bottom], [right, bottom + lean], [right + 2, top + lean], [left + 2, top]).fill(marker)
  }

  return {
    ...createLook({ accent, second, soft: marker, flow, base, family, random, rough: 0.8, gap: 0 }),
    statement({ role, label, text }) {
      flow.need(leading * 2)
      if (role === 'solution') return flow.paragraph(text, { ...base, indent: size * 1.4, marker: '→', color: accent })
      const lead = role === 'exercise' ? `Ex. ${++exercises}` : `${label}:`
      if (role === 'fact') write(doc, '!!', flow.left - 26, flow.y + leading * rise, { ...base, color: accent })
      else highlight(lead)
      flow.paragraph(`${lead} ${text}`, base)
    },
  }
}

function drawSheet(doc: Doc, sheet: 'ruled' | 'squared' | 'plain', leading: number): void {
  const { width, height, margins } = doc.page
  const step = sheet === 'squared' ? leading / 2 : leading
  if (sheet === 'plain') return
  // Everything stands a little above a printed line.
  for (let y = margins.top - leading * 0.1; y < height; y += step) doc.moveTo(0, y).lineTo(width, y)
  if (sheet === 'squared') for (let x = step / 2; x < width; x += step) doc.moveTo(x, 0).lineTo(x, height)
  doc.lineWidth(0.4).stroke('#b8cfe6')
  if (sheet !== 'ruled') return
  doc.moveTo(54, 0).lineTo(54, height).stroke('#e69e9e')
  for (const part of [0.16, 0.5, 0.84]) doc.circle(20, height * part, 6.5).fillAndStroke('#dbdbdb', '#c7c7c7')
}
