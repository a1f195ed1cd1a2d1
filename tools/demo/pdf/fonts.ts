import { type PDFDocument, type PDFFont, type PDFRef, StandardFonts } from '@cantoo/pdf-lib'
import type { Random } from '../random.ts'
import { embedHand, type Hand } from './hand-font.ts'

/** A character's code in its font, as hexadecimal, and its width in ems. */
export type Glyph = { hex: string; width: number }

export type Font = {
  /** As the page descriptions call it. */
  name: string
  find(char: string): Glyph | null
  /** To be called before the document is saved. */
  finish?(): void
}

/** The fonts of one document. Whatever a font lacks is looked for in `symbol`. */
export type Family = { regular: Font; bold: Font; italic: Font; symbol: Font }

export type FamilyName = 'serif' | 'sans' | 'typewriter'

const standard = {
  serif: { regular: 'TimesRoman', bold: 'TimesRomanBold', italic: 'TimesRomanItalic' },
  sans: { regular: 'Helvetica', bold: 'HelveticaBold', italic: 'HelveticaOblique' },
  typewriter: { regular: 'Courier', bold: 'CourierBold', italic: 'CourierOblique' },
} as const

export type FontShelf = {
  family(name: FamilyName): Family
  handwriting(hand: Hand, random: Random): Family
  /** The resources' dictionary of fonts. */
  refs: Record<string, PDFRef>
  finish(): void
}

export function openFonts(doc: PDFDocument): FontShelf {
  const refs: Record<string, PDFRef> = {}
  const fonts: Font[] = []
  const byStandardName = new Map<string, Font>()

  function open(name: keyof typeof StandardFonts): Font {
    const known = byStandardName.get(name)
    if (known) return known
    const embedded = doc.embedStandardFont(StandardFonts[name])
    const font = createStandardFont(`F${fonts.length + 1}`, name, embedded)
    refs[font.name] = embedded.ref
    fonts.push(font)
    byStandardName.set(name, font)
    return font
  }

  return {
    refs,
    family(name) {
      const { regular, bold, italic } = standard[name]
      return { regular: open(regular), bold: open(bold), italic: open(italic), symbol: open('Symbol') }
    },
    handwriting(hand, random) {
      const { font, ref } = embedHand(doc, `H${fonts.length + 1}`, hand, random)
      refs[font.name] = ref
      fonts.push(font)
      return { regular: font, bold: font, italic: font, symbol: open('Symbol') }
    },
    finish() {
      for (const font of fonts) font.finish?.()
    },
  }
}

/** The glyphs of the 14 standard fonts are the same in every document. */
const standardGlyphs = new Map<string, Map<string, Glyph | null>>()

function createStandardFont(name: string, standardName: string, font: PDFFont): Font {
  const glyphs = standardGlyphs.get(standardName) ?? new Map<string, Glyph | null>()
  standardGlyphs.set(standardName, glyphs)
  let supported: Set<number> | undefined

  function find(char: string): Glyph | null {
    const known = glyphs.get(char)
    if (known !== undefined) return known
    supported ??= new Set(font.getCharacterSet())
    const glyph = supported.has(char.codePointAt(0) ?? 0)
      ? { hex: font.encodeText(char).asString(), width: font.widthOfTextAtSize(char, 1) }
      : null
    glyphs.set(char, glyph)
    return glyph
  }
  return { name, find }
}
