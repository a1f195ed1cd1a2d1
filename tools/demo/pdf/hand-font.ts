import { type PDFDocument, PDFHexString, PDFName, type PDFObject, type PDFRef } from '@cantoo/pdf-lib'
import type { Random } from '../random.ts'
import { type Point, smooth } from './canvas.ts'
import type { Font, Glyph } from './fonts.ts'
import { handMarks, handStrokes } from './hand-strokes.ts'

/** How somebody writes. `slant` is the tangent of the angle, `pen` the width of the line in units of a stroke. */
export type Hand = { slant: number; pen: number; width: number; wobble: number; spacing: number }

export function createHand(random: Random): Hand {
  return {
    slant: random.between(-0.04, 0.22),
    pen: random.between(0.55, 0.8),
    width: random.between(0.88, 1.06),
    wobble: random.between(0.12, 0.24),
    spacing: random.between(1.2, 1.9),
  }
}

/** Thousandths of an em for one unit of a stroke: capitals are 0.62 em high. */
const unit = 62
/** Nobody writes a letter twice in the same way; a font has room for 223 drawings. */
const variantsOf = (char: string) => (/[a-z]/.test(char) ? 3 : /[A-Z0-9]/.test(char) ? 2 : 1)
const strokeWidthBlank = 3.6

type Drawn = { code: number; width: number; procedure: string; char: string }

/**
 * Draws a handwriting as a Type 3 font, so that pages stay small and their text can be found and copied.
 * @param name the font's name in the resources of the pages.
 */
export function embedHand(doc: PDFDocument, name: string, hand: Hand, random: Random): { font: Font; ref: PDFRef } {
  const drawn: Drawn[] = [
    { code: 32, width: strokeWidthBlank * unit, procedure: `${strokeWidthBlank * unit} 0 d0`, char: ' ' },
  ]
  const glyphs = new Map<string, Glyph[]>([[' ', [{ hex: '20', width: (strokeWidthBlank * unit) / 1000 }]]])
  let code = 33

  function find(char: string): Glyph | null {
    const known = glyphs.get(char)
    if (known) return random.pick(known)
    const strokes = strokesOf(char)
    if (!strokes) return null
    const variants: Glyph[] = []
    for (let i = 0; i < variantsOf(char) && code < 256; i++, code++) {
      const { procedure, width } = draw(strokes, hand, random)
      drawn.push({ code, width, procedure, char })
      variants.push({ hex: code.toString(16).padStart(2, '0'), width: width / 1000 })
    }
    if (variants.length === 0) return null
    glyphs.set(char, variants)
    return random.pick(variants)
  }

  // The font is finished when the document is saved: only then is it known which letters were written.
  const ref = doc.context.nextRef()
  return { font: { name, find, finish: () => doc.context.assign(ref, buildFont(doc, drawn)) }, ref }
}

function strokesOf(char: string): Point[][] | null {
  const plain = handStrokes[char]
  if (plain) return parseStrokes(plain)
  const [letter = '', ...marks] = [...char.normalize('NFD')]
  const base = marks.length > 0 ? handStrokes[letter] : undefined
  if (!base) return null
  const lift = /[A-ZÀ-Þ]/.test(letter) ? 3.6 : 0
  const above = marks.flatMap((mark) => parseStrokes(handMarks[mark] ?? ''))
  return [...parseStrokes(base), ...above.map((stroke) => stroke.map(([x, y]): Point => [x, y + lift]))]
}

const parseStrokes = (text: string): Point[][] =>
  text
    .split('/')
    .filter((stroke) => stroke !== '')
    .map((stroke) =>
      stroke.split(' ').map((pair): Point => {
        const [x, y] = pair.split(',').map(Number)
        return [x ?? 0, y ?? 0]
      }),
    )

function draw(strokes: Point[][], hand: Hand, random: Random): { procedure: string; width: number } {
  const shake = () => random.normal(0, hand.wobble)
  const lean = random.normal(hand.slant, 0.015)
  const placed = strokes.map((stroke) =>
    stroke.map(([x, y]): Point => {
      const [wx, wy] = [x + shake(), y + shake()]
      return [(wx * hand.width + wy * lean) * unit, wy * unit]
    }),
  )
  const right = Math.max(...strokes.flat().map(([x]) => x)) * hand.width
  const width = Math.round((right + hand.spacing) * unit)
  const whole = (value: number) => String(Math.round(value))
  const paths = placed.map((stroke) => smooth(stroke, whole)).join(' ')
  return { width, procedure: `${width} 0 d0 ${whole(hand.pen * unit)} w 1 J 1 j ${paths} S` }
}

function buildFont(doc: PDFDocument, drawn: Drawn[]): PDFObject {
  const { context } = doc
  const procedures: Record<string, PDFRef> = {}
  const differences: (number | PDFName)[] = []
  const widths: number[] = []
  for (const { code, width, procedure } of drawn) {
    procedures[`g${code}`] = context.register(context.stream(procedure))
    differences.push(code, PDFName.of(`g${code}`))
    widths[code - 32] = width
  }
  return context.obj({
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: [-200, -300, 900, 900],
    FontMatrix: [0.001, 0, 0, 0.001, 0, 0],
    CharProcs: procedures,
    Encoding: { Type: 'Encoding', Differences: differences },
    FirstChar: 32,
    LastChar: 31 + widths.length,
    Widths: Array.from(widths, (width) => width ?? 0),
    Resources: {},
    ToUnicode: context.register(context.stream(toUnicode(drawn))),
  })
}

/** Says which letter each code stands for (ISO 32000-1, 9.10.3), in blocks of at most 100. */
function toUnicode(drawn: Drawn[]): string {
  const entries = drawn.map(
    ({ code, char }) => `<${code.toString(16).padStart(2, '0')}> <${PDFHexString.fromText(char).asString().slice(4)}>`,
  )
  const blocks: string[] = []
  for (let i = 0; i < entries.length; i += 100) {
    const block = entries.slice(i, i + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<00> <ff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
