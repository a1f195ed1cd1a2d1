import { upperFirst } from '../compose.ts'
import type { Random } from '../random.ts'
import { drawFigure } from './figures.ts'
import { Flow, type ParagraphOptions } from './flow.ts'
import { sans } from './fonts.ts'
import { createLook, drawBox, type Look } from './look.ts'
import { black, gray, type Palette, paleGray } from './palettes.ts'
import { type Doc, type Type, write } from './text.ts'

/** 16 to 9, in points. */
export const slideSize: [number, number] = [720, 405]
const left = 48

/** Slides exported as a PDF. Each `break` begins one, and its section is its headline. */
export function createSlidesLook(
  doc: Doc,
  palette: Palette & { foot: string },
  random: Random,
  maxPages: number,
): Look {
  const { accent, second, soft, foot } = palette
  const [width, height] = slideSize
  const base: ParagraphOptions = { family: sans, size: 18, leading: 27, color: black }
  const manner = { doc, family: sans, textSize: 14, random, colors: { ink: black, accent, second, soft } }
  function decorate(number: number) {
    doc.rect(0, 0, width, number === 1 ? height : 9).fill(accent)
    if (number === 1) return
    const small: Type = { family: sans, size: 9.5, color: gray }
    write(doc, foot, left, height - 16, small)
    write(doc, String(number), width - left, height - 16, small, { align: 1 })
  }
  const flow = new Flow(doc, { margin: { top: 88, right: left, bottom: 34, left }, maxPages, decorate })
  const formula = {
    size: 30,
    height: 110,
    decorate: () => doc.roundedRect(left, flow.y, flow.width, 110, 6).fill(soft),
  }
  const list = { ...base, indent: 26, marker: '•', markerColor: second }
  const common = { flow, base, heading: base, list, caption: base, figureLabel: '', gap: 14, manner, formula }
  return createLook(common, {
    title({ title, course, byline }) {
      const put = (text: string, y: number, type: Partial<Type>) =>
        write(doc, text, 60, y, { family: sans, size: 18, color: soft, ...type }, { maxWidth: width - 120 })
      doc.rect(60, 251, 70, 4).fill(second)
      for (const radius of [130, 175])
        doc
          .circle(width - 40, height - 40, radius)
          .lineWidth(0.6)
          .stroke(soft)
      put(title, 215, { size: 36, color: 'white', face: 'bold' })
      put(course, 293, {})
      put(byline, 321, { size: 14 })
    },
    section({ text }) {
      write(doc, text, left, 62, { family: sans, size: 26, face: 'bold', color: accent }, { maxWidth: flow.width })
    },
    list({ items }) {
      for (const item of items) {
        flow.paragraph(item, list)
        flow.down(10)
      }
    },
    figure({ figure }) {
      const frame = { x: left + 30, y: flow.y, width: flow.width - 60, height: height - 46 - flow.y }
      drawFigure({ ...manner, frame }, figure)
    },
    statement({ role, text }) {
      if (role === 'definition')
        drawBox(flow, [`${upperFirst(text)}.`], { ...base, size: 21, leading: 30 }, soft, accent)
      else if (role === 'solution') drawBox(flow, [text], base, paleGray, second)
      else flow.paragraph(text, { ...base, size: 20, leading: 29 })
      flow.down(22)
    },
  })
}
