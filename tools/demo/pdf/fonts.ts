import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import subsetFont from 'subset-font'
import { courses } from '../courses.ts'
import { phraseText } from '../phrases.ts'

/** The names pdfkit knows fonts by. */
export type Family = { regular: string; bold: string; italic: string }

/** Two of the fonts that every reader has: nothing of them is in the file. */
export const serif: Family = { regular: 'Times-Roman', bold: 'Times-Bold', italic: 'Times-Italic' }
export const sans: Family = { regular: 'Helvetica', bold: 'Helvetica-Bold', italic: 'Helvetica-Oblique' }
export const hands = [
  'caveat/400Regular/Caveat',
  'kalam/400Regular/Kalam',
  'patrick-hand/400Regular/PatrickHand',
  'architects-daughter/400Regular/ArchitectsDaughter',
  'shadows-into-light/400Regular/ShadowsIntoLight',
]
/** Has what the others lack: Greek, signs of mathematics, letters with rare accents. */
export const symbols = 'stix-two-math/400Regular/STIXTwoMath'

/** What the standard fonts and every handwriting can write. */
export const latin = /^[ -~À-ÖØ-öø-ÿ°·×±½¼–‘’“”]+$/

const require = createRequire(import.meta.url)
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(index + 32)).join('')
const written = `${ascii}${JSON.stringify(courses)}${phraseText}→•−`
const characters = [...new Set(written + written.normalize('NFKD'))].join('')
const opened = new Map<string, Promise<Font>>()

/** Fonts are cut down to what is written here and opened once; all documents share them. */
export function openFont(name: string): Promise<Font> {
  const font = opened.get(name) ?? cutFont(name)
  opened.set(name, font)
  return font
}

async function cutFont(name: string): Promise<Font> {
  const whole = await readFile(require.resolve(`@expo-google-fonts/${name}_400Regular.ttf`))
  return create(await subsetFont(whole, characters, { targetFormat: 'sfnt' })) as Font
}

export async function registerFonts(doc: PDFKit.PDFDocument, names: string[]): Promise<void> {
  // pdfkit takes an open font as well; its types do not know.
  for (const name of names) doc.registerFont(name, (await openFont(name)) as unknown as Buffer)
}
