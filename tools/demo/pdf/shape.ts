import type { Family, Font } from './fonts.ts'

export type TextStyle = {
  fonts: Family
  /** Points. */
  size: number
  weight?: 'regular' | 'bold' | 'italic'
  /** Single letters are variables, hence italic. */
  math?: boolean
}

/** Characters of one font that stand side by side, `dx` to the right and `rise` above of where the text begins. */
export type Run = {
  font: string
  size: number
  hex: string
  dx: number
  rise: number
  width: number
  /** A line over it (x̄) or through it (ħ), at this height in ems. */
  bar?: number
}

/** What a line may not be broken within. */
export type Word = { runs: Run[]; width: number }

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵗᵐ'
const subscripts = '₀₁₂₃₄₅₆₇₈₉₊₋ₙₜ'
const plainScripts = '0123456789+−ntm'
/** What no font here has, and what comes nearest. */
const replacements: Record<string, string> = {
  '⟨': '\u2329',
  '⟩': '\u232a',
  '∮': '∫',
  ħ: 'h',
  ℝ: 'R',
  Ł: 'L',
  ł: 'l',
  Ø: 'O',
  ø: 'o',
  ı: 'i',
}
const bars: Record<string, number> = { ħ: 0.56 }
const macron = '\u0304'
const macronHeight = 0.58

type Script = 'base' | 'up' | 'down'
type Letter = { char: string; script: Script; bar?: number }

/** The words of a text. `x^2`, `x^{−1}` and `a_{ij}` are raised and lowered, as are ² and ₂. */
export function shapeWords(text: string, style: TextStyle): Word[] {
  const words: Letter[][] = [[]]
  for (const letter of readLetters(text)) {
    if (letter.char === ' ' && letter.script === 'base') words.push([])
    else words.at(-1)?.push(letter)
  }
  return words.filter((word) => word.length > 0).map((word) => shapeWord(word, style))
}

/** The whole text as one line. */
export function shapeLine(text: string, style: TextStyle): Word {
  return joinWords(shapeWords(text, style), style)
}

/** Words side by side with blanks between them; what is equal in font and size becomes one run. */
export function joinWords(words: Word[], style: TextStyle): Word {
  const blank = blankOf(style)
  const runs: Run[] = []
  let x = 0
  for (const [index, word] of words.entries()) {
    for (const run of word.runs) {
      const before = runs.at(-1)
      const isFirst = run === word.runs[0]
      if (index > 0 && isFirst && before?.font === blank.font && canJoin(before, run)) {
        before.hex += blank.hex + run.hex
        before.width += blank.width + run.width
      } else runs.push({ ...run, dx: x + run.dx })
    }
    x += word.width + blank.width
  }
  return { runs, width: Math.max(0, x - blank.width) }
}

export const blankWidth = (style: TextStyle): number => blankOf(style).width

function blankOf({ fonts, size, weight = 'regular' }: TextStyle) {
  const font = fonts[weight]
  const glyph = font.find(' ') ?? { hex: '20', width: 0.25 }
  return { font: font.name, hex: glyph.hex, width: glyph.width * size }
}

const canJoin = (a: Run, b: Run) =>
  a.font === b.font && a.size === b.size && a.rise === b.rise && a.bar === undefined && b.bar === undefined

function* readLetters(text: string): Generator<Letter> {
  if (/^[ -\]`-~]*$/.test(text)) {
    for (const char of text) yield { char, script: 'base' }
    return
  }
  const pattern = /([\^_])(?:\{([^}]*)\}|([A-Za-z]+|\d+|.))|(.)(\u0304?)/gsu
  for (const [, mark, braced, short, single = '', overline] of text.normalize('NFC').matchAll(pattern)) {
    if (mark) {
      for (const { char } of readLetters(braced ?? short ?? '')) yield { char, script: mark === '^' ? 'up' : 'down' }
      continue
    }
    const up = superscripts.indexOf(single)
    const down = subscripts.indexOf(single)
    // `ȳ` is one character, where x̄ is two.
    const [letter = single, composed] = [...single.normalize('NFD')]
    if (up >= 0) yield { char: plainScripts[up] ?? single, script: 'up' }
    else if (down >= 0) yield { char: plainScripts[down] ?? single, script: 'down' }
    else if (overline || composed === macron) yield { char: letter, script: 'base', bar: macronHeight }
    else if (single === '‖') yield* ['|', '|'].map((char): Letter => ({ char, script: 'base' }))
    else yield { char: single, script: 'base', ...(bars[single] && { bar: bars[single] }) }
  }
}

function shapeWord(letters: Letter[], style: TextStyle): Word {
  const runs: Run[] = []
  let x = 0
  for (const [index, letter] of letters.entries()) {
    const { font, hex, width: em } = findGlyph(letter.char, fontFor(letters, index, style), style)
    const size = letter.script === 'base' ? style.size : style.size * 0.68
    const rise = letter.script === 'base' ? 0 : letter.script === 'up' ? style.size * 0.36 : -style.size * 0.16
    const width = em * size
    const before = runs.at(-1)
    const run: Run = { font, size, hex, dx: x, rise, width, ...(letter.bar && { bar: letter.bar }) }
    if (before && canJoin(before, run)) {
      before.hex += hex
      before.width += width
    } else runs.push(run)
    x += width
  }
  return { runs, width: x }
}

function fontFor(letters: Letter[], index: number, { fonts, weight = 'regular', math }: TextStyle): Font {
  if (!math) return fonts[weight]
  const isLetter = (at: number) =>
    /[A-Za-z]/.test(letters[at]?.char ?? '') && letters[at]?.script === letters[index]?.script
  if (!isLetter(index)) return fonts[weight]
  const nearby = [-2, -1, 1, 2].map((by) => letters[index + by]?.char ?? ' ').join('')
  const isDifferential = /^[^a-zA-Z]?d/.test(nearby.slice(0, 2)) || letters[index]?.char === 'd'
  const isAlone = !isLetter(index - 1) && !isLetter(index + 1)
  const isPair = isDifferential && !(isLetter(index - 1) && isLetter(index + 1)) && !isLetter(index + 2)
  return isAlone || isPair ? fonts.italic : fonts[weight]
}

function findGlyph(char: string, font: Font, { fonts }: TextStyle): { font: string; hex: string; width: number } {
  const plain = char.normalize('NFD')[0] ?? char
  const replacement = replacements[char]
  for (const candidate of [char, replacement, plain].filter((one) => one !== undefined)) {
    for (const source of [font, fonts.symbol]) {
      const glyph = source.find(candidate)
      if (glyph) return { font: source.name, ...glyph }
    }
  }
  throw new Error(`No font of the demo library can write "${char}"`)
}
