import { deflateSync } from 'node:zlib'
import { type PdfDict, PdfName, type PdfRef, PdfStream, PdfString, type PdfValue } from '../syntax/values.ts'
import { formatValue, type PdfWriter } from '../syntax/write.ts'
import type { Word } from './words.ts'

export type TextLayer = { instructions: string; font: PdfRef }

const maxLetters = 60_000
/** PDF readers need not accept more than this. */
const maxSectionLines = 100

/**
 * Writes words as invisible text that can be found, selected and read aloud. The font has one blank glyph for each text
 * and width that occurs, so that every glyph ends where the next one begins.
 */
export function makeTextLayer(words: Word[], target: PdfWriter): TextLayer | null {
  const codes = new Map<string, number>()
  const letters: { text: string; width: number }[] = []
  function codeOf(text: string, width: number): string {
    const key = `${text} ${width}`
    let code = codes.get(key)
    if (code === undefined && letters.length < maxLetters) {
      code = letters.push({ text, width })
      codes.set(key, code)
    }
    return hexadecimal(code ?? 0)
  }
  const shown = words.map((word) => {
    const thousandths = (width: number) => 10 * Math.round((width / word.size) * 100)
    const text = word.letters.map((letter) => codeOf(letter.text, thousandths(letter.width))).join('')
    const end = word.gap > 0 ? codeOf(' ', thousandths(word.gap)) : ''
    return `${placeOf(word)} Tm<${text}${end}>Tj`
  })
  if (letters.length === 0) return null
  return { instructions: `BT 3 Tr/T 1 Tf\n${shown.join('\n')}\nET`, font: addFont(target, letters) }
}

function placeOf({ x, y, size, angle }: Word): string {
  const [cosine, sine] = [size * Math.cos(angle), size * Math.sin(angle)]
  return [cosine, sine, -sine, cosine, x, y].map((value) => formatValue(Number(value.toFixed(3)))).join(' ')
}

const name = (text: string) => new PdfName(text)
const dictionary = (entries: Record<string, PdfValue>): PdfDict => new Map(Object.entries(entries))

function addFont(target: PdfWriter, letters: { text: string; width: number }[]): PdfRef {
  const program = makeBlankFont(letters.length + 1)
  const descriptor = dictionary({
    Type: name('FontDescriptor'),
    FontName: name('Blank'),
    Flags: 4,
    FontBBox: [0, -200, 1000, 800],
    ItalicAngle: 0,
    Ascent: 800,
    Descent: -200,
    CapHeight: 700,
    StemV: 80,
    FontFile2: target.add(packed(program, { Length1: program.length })),
  })
  const descendant = dictionary({
    Type: name('Font'),
    Subtype: name('CIDFontType2'),
    BaseFont: name('Blank'),
    CIDSystemInfo: dictionary({ Registry: ascii('Adobe'), Ordering: ascii('Identity'), Supplement: 0 }),
    CIDToGIDMap: name('Identity'),
    FontDescriptor: target.add(descriptor),
    W: [1, letters.map(({ width }) => width)],
  })
  const font = dictionary({
    Type: name('Font'),
    Subtype: name('Type0'),
    BaseFont: name('Blank'),
    Encoding: name('Identity-H'),
    DescendantFonts: [target.add(descendant)],
    ToUnicode: target.add(packed(Buffer.from(makeCharacterMap(letters)))),
  })
  return target.add(font)
}

const ascii = (text: string) => new PdfString(Buffer.from(text))

function packed(data: Buffer, entries: Record<string, PdfValue> = {}): PdfStream {
  return new PdfStream(dictionary({ ...entries, Filter: name('FlateDecode') }), deflateSync(data))
}

/** Maps each character code to its text. */
function makeCharacterMap(letters: { text: string }[]): string {
  const lines = letters.map(
    ({ text }, at) => `<${hexadecimal(at + 1)}><${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
  )
  const sections: string[] = []
  for (let at = 0; at < lines.length; at += maxSectionLines) {
    const section = lines.slice(at, at + maxSectionLines)
    sections.push(`${section.length} beginbfchar\n${section.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000><ffff>
endcodespacerange
${sections.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
`
}

const hexadecimal = (code: number) => code.toString(16).padStart(4, '0')

/**
 * Makes a TrueType font whose glyphs are all blank. Without an embedded font for the invisible text readers substitute
 * one of their own, and some complain. The PDF defines the glyph widths.
 */
function makeBlankFont(letters: number): Buffer {
  const tables: [string, Buffer][] = [
    ['cmap', words(0, 1, 3, 0, 0, 12, 4, 24, 0, 2, 2, 0, 0, 0xffff, 0, 0xffff, 1, 0)],
    ['glyf', Buffer.alloc(4)],
    ['head', makeHead()],
    ['hhea', words(1, 0, 800, -200, 0, unitsPerEm, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)],
    ['hmtx', words(unitsPerEm, 0, ...new Array<number>(letters - 1).fill(0))],
    ['loca', words(...new Array<number>(letters + 1).fill(0))],
    ['maxp', words(1, 0, letters, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ]
  const parts: Buffer[] = [words(1, 0, tables.length, 64, 2, tables.length * 16 - 64)]
  let offset = 12 + 16 * tables.length
  for (const [tag, bytes] of tables) {
    const entry = Buffer.alloc(16)
    entry.write(tag, 'latin1')
    entry.writeUInt32BE(checksum(bytes), 4)
    entry.writeUInt32BE(offset, 8)
    entry.writeUInt32BE(bytes.length, 12)
    parts.push(entry)
    offset += padded(bytes).length
  }
  return Buffer.concat([...parts, ...tables.map(([, bytes]) => padded(bytes))])
}

const unitsPerEm = 1000

/** Contains no dates and no revision, only the fields that readers require. */
function makeHead(): Buffer {
  const magic = [0x5f0f, 0x3cf5]
  const dates = [0, 0, 0, 0, 0, 0, 0, 0]
  const box = [0, -200, unitsPerEm, 800]
  return words(1, 0, 1, 0, 0, 0, ...magic, 0, unitsPerEm, ...dates, ...box, 0, 8, 2, 0, 0)
}

/** Encodes each value as a big-endian 16-bit number. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, at * 2)
  return bytes
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function checksum(bytes: Buffer): number {
  const whole = padded(bytes)
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}
