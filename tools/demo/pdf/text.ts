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

type Piece = { text: string; font: string; size: number; rise: number }
/** What a line may not be broken within: pieces side by side. */
type Word = { pieces: Piece[]; width: number }
type Line = { words: Word[]; width: number }

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

function readWords(doc: Doc, content: Content, type: Type): Word[] {
  const words: Piece[][] = []
  for (const span of [content].flat()) {
    const [face, text] =
      typeof span === 'string' ? [type.face ?? 'regular', span] : (Object.entries(span)[0] as [Face, string])
    words.push([])
    for (const piece of readPieces(text, type, face)) {
      const word = words.at(-1)
      const last = word?.at(-1)
      if (piece.text === ' ' && piece.rise === 0) words.push([])
      else if (last && isLike(last, piece)) last.text += piece.text
      else word?.push(piece)
    }
  }
  return words
    .filter((pieces) => pieces.length > 0)
    .map((pieces) => ({ pieces, width: pieces.reduce((sum, piece) => sum + widthOf(doc, piece), 0) }))
}

const isLike = (a: Piece, b: Piece) => a.font === b.font && a.size === b.size && a.rise === b.rise

/** Widths in ems. Documents share their fonts and most of their words. */
const widths = new Map<string, number>()

function widthOf(doc: Doc, { font, size, text }: Pick<Piece, 'font' | 'size' | 'text'>): number {
  const key = `${font} ${text}`
  const width = widths.get(key) ?? doc.font(font, 1).widthOfString(text)
  widths.set(key, width)
  return width * size
}

const blankOf = (doc: Doc, { family, size }: Type) => widthOf(doc, { font: family.regular, size, text: ' ' })

export function breakLines(doc: Doc, content: Content, type: Type, width = Number.POSITIVE_INFINITY): Line[] {
  const blank = blankOf(doc, type)
  const lines: Line[] = []
  for (const word of readWords(doc, content, type)) {
    const line = lines.at(-1)
    if (line && line.width + blank + word.width <= width) {
      line.words.push(word)
      line.width += blank + word.width
    } else lines.push({ words: [word], width: word.width })
  }
  return lines
}

/** @param extra points between words besides the blank. */
export function drawLine(doc: Doc, { words }: Line, x: number, baseline: number, type: Type, extra = 0): void {
  const { wobble, slant = 0 } = type
  let left = x + (wobble?.normal(0, 0.8) ?? 0)
  let run: (Piece & { x: number; y: number }) | undefined
  const flush = () => {
    if (!run) return
    doc.font(run.font, run.size).fillColor(type.color)
    doc.text(run.text, run.x, run.y, { lineBreak: false, baseline: 'alphabetic', oblique: slant })
    run = undefined
  }
  for (const { pieces, width } of words) {
    const y = baseline + (wobble?.normal(0, 0.45) ?? 0)
    // Words that stand as the font would set them are drawn at once.
    if (extra || wobble) flush()
    else if (run) run.text += ' '
    let at = left
    for (const piece of pieces) {
      if (run && isLike(run, piece)) run.text += piece.text
      else {
        flush()
        run = { ...piece, x: at, y: y - piece.rise }
      }
      at += widthOf(doc, piece)
    }
    left += width + extra + blankOf(doc, type) * (wobble?.between(0.85, 1.2) ?? 1)
  }
  flush()
}

type Fit = { /** What part of the line stands left of x: 0, ½ or 1. */ align?: number; maxWidth?: number }

/** Writes one line, smaller where it would be too wide. @returns its width. */
export function write(
  doc: Doc,
  text: Span,
  x: number,
  y: number,
  type: Type,
  { align = 0, maxWidth }: Fit = {},
): number {
  const width = measure(doc, text, type)
  const size = type.size * Math.min(1, (maxWidth ?? width) / width)
  const drawn = (width * size) / type.size
  for (const line of breakLines(doc, text, { ...type, size }))
    drawLine(doc, line, x - drawn * align, y, { ...type, wobble: undefined })
  return drawn
}

export const measure = (doc: Doc, content: Span, type: Type): number => breakLines(doc, content, type)[0]?.width ?? 0
