import type { Random } from '../random.ts'
import { Flow, type ParagraphOptions } from './flow.ts'
import { sans } from './fonts.ts'
import { createLook, type Look } from './look.ts'
import { black, gray, palettes } from './palettes.ts'
import { type Doc, type Type, write } from './text.ts'

/** 16 to 9, in points. */
export const slideSize: [number, number] = [720, 405]
export const slideMargins = { top: 36, right: 48, bottom: 34, left: 48 }

/** Slides exported as a PDF. Each `break` begins one, and its section is its headline. */
export function createSlidesLook(doc: Doc, foot: string, random: Random, maxPages: number): Look {
  const palette = random.pick(palettes)
  const [width, height] = slideSize
  const base: ParagraphOptions = { family: sans, size: 20, leading: 31, color: black }
  function decorate(number: number) {
    const small: Type = { family: sans, size: 9.5, color: gray }
    doc.rect(0, 0, width, number === 1 ? height : 9).fill(palette.accent)
    if (number === 1) return
    write(doc, foot, 48, height - 16, small)
    write(doc, String(number), width - 48, height - 16, small, { align: 1 })
  }
  const flow = new Flow(doc, { maxPages, decorate })
  return {
    ...createLook({
      ...palette,
      flow,
      base,
      family: sans,
      random,
      hasBars: random.chance(0.5),
      hasBoxes: true,
      gap: 14,
    }),
    title({ title, course, byline }) {
      const put = (text: string, y: number, type: Partial<Type>) =>
        write(doc, text, 60, y, { ...base, size: 18, color: palette.soft, ...type }, { maxWidth: width - 120 })
      put(title, 215, { size: 36, color: 'white', face: 'bold' })
      doc.rect(60, 251, 70, 4).fill(palette.second)
      put(course, 293, {})
      put(byline, 321, { size: 14 })
    },
  }
}
