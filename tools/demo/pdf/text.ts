import type { Random } from '../random.ts'
import { type Family, latin, symbols } from './fonts.ts'

export type Doc = PDFKit.PDFDocument
type Face = keyof Family
export type Span = string | { bold: string } | { italic: string }
export type Content = Span | Span[]
export type Type = {
  family: Family
  /** Points. */
  size: number
  color: string
  face?: Face
  /** Single letters are variables, hence italic. */
  math?: boolean
  /** Degrees by which a hand leans. */
  slant?: number
  /** A hand does not keep the line. */
  wobble?: Random
}

/** What is written at once. Lines are broken at blanks, which are pieces of their own until then. */
type Piece = { text: string; font: string; size: number; rise: number }
type Line = { pieces: Piece[]; width: number }

/** A mark with what it raises or lowers, a script that is one character, a variable, other letters, any character. */
const tokens =
  /([\^_])(?:\{([^}]*)\}|([A-Za-z]+|\d+|.))|([²³¹⁰-ⁿᵐᵗ])|([₀-ₜ])|((?<![A-Za-z])d?[A-Za-z](?![A-Za-z]|\u0304))|([a-z]{2,}(?!\u0304)|.\u0304?)/gu

/** Cuts a text where its font changes: `x^2`, `x^{−1}` and `a_{ij}` are raised and lowered, as are ² and ₂. */
function* readPieces(text: string, type: Type, face: Face, level = 0): Generator<Piece> {
  for (const [, mark, braced, short, up, down, variable, other] of text.matchAll(tokens)) {
    if (mark) yield* readPieces(braced ?? short ?? '', type, face, mark === '^' ? 0.36 : -0.16)
    else {
      const letters = variable ?? other ?? (up ?? down ?? '').normalize('NFKD')
      const font = latin.test(letters) ? type.family[variable && type.math ? 'italic' : face] : symbols
      const rise = up ? 0.36 : down ? -0.16 : level
      yield { text: letters, font, size: type.size * (rise ? 0.68 : 1), rise: type.size * rise }
    }
  }
}

function readWords(content: Content, type: Type): Piece[][] {
  return [content].flat().flatMap((span) => {
    const plain: [Face, string] = [type.face ?? 'regular', String(span)]
    const [face, text] = typeof span === 'string' ? plain : (Object.entries(span)[0] as [Face, string])
    return text.split(' ').map((word) => join([...readPieces(word, type, face)]))
  })
}

/** The same with neighbours as one where nothing changes. */
function join(pieces: Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const isLike = last?.font === piece.font && last.size === piece.size && last.rise === piece.rise
    if (isLike) last.text += piece.text
    else joined.push({ ...piece })
  }
  return joined
}

/** Widths in ems. Documents share their fonts and most of their words. */
const widths = new Map<string, number>()

function widthOf(doc: Doc, { font, size, text }: Piece): number {
  const key = `${font} ${text}`
  const width = widths.get(key) ?? doc.font(font, 1).widthOfString(text)
  widths.set(key, width)
  return width * size
}

export function breakLines(doc: Doc, content: Content, type: Type, width = Number.POSITIVE_INFINITY): Line[] {
  const blank = { text: ' ', font: type.family[type.face ?? 'regular'], size: type.size, rise: 0 }
  const blankWidth = widthOf(doc, blank)
  const lines: Line[] = []
  for (const pieces of readWords(content, type)) {
    const wordWidth = pieces.reduce((sum, piece) => sum + widthOf(doc, piece), 0)
    const line = lines.at(-1)
    if (line && line.width + blankWidth + wordWidth <= width) {
      line.pieces.push(blank, ...pieces)
      line.width += blankWidth + wordWidth
    } else lines.push({ pieces, width: wordWidth })
  }
  return lines
}

export function drawLine(doc: Doc, { pieces }: Line, x: number, baseline: number, type: Type): void {
  const { wobble, slant: oblique = 0, color } = type
  let left = x + (wobble?.normal(0, 0.8) ?? 0)
  let y = baseline
  // A hand writes word by word.
  for (const piece of wobble ? pieces : join(pieces)) {
    const { text, font, size, rise } = piece
    const isBlank = text === ' '
    if (isBlank) y = baseline + (wobble?.normal(0, 0.45) ?? 0)
    else
      doc
        .font(font, size)
        .fillColor(color)
        .text(text, left, y - rise, { lineBreak: false, baseline: 'alphabetic', oblique })
    left += widthOf(doc, piece) * (isBlank ? (wobble?.between(0.85, 1.2) ?? 1) : 1)
  }
}

type Fit = { /** What part of the line stands left of x: 0, ½ or 1. */ align?: number; maxWidth?: number }

/** Writes one line, smaller where it would be too wide. @returns its width. */
export function write(doc: Doc, text: string, x: number, y: number, type: Type, { align = 0, maxWidth }: Fit = {}) {
  const width = measure(doc, text, type)
  const scale = Math.min(1, (maxWidth ?? width) / width)
  const [line] = breakLines(doc, text, { ...type, size: type.size * scale })
  if (line) drawLine(doc, line, x - line.width * align, y, { ...type, wobble: undefined })
  return width * scale
}

export const measure = (doc: Doc, text: string, type: Type): number => breakLines(doc, text, type)[0]?.width ?? 0
