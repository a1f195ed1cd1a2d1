import type { Character } from '../../pdfium/pdfium.ts'

/** `text` has several letters for a ligature. `along` is the position on the baseline, in points. */
type Letter = { text: string; along: number; width: number; box: Character['box'] }
/**
 * Letters in visual order from left to right; `gap` is the distance to the next word on the same line of text, if that
 * word is to the right.
 */
export type Word = {
  letters: Letter[]
  x: number
  y: number
  size: number
  angle: number
  gap: number
}

const space = 0x20
const lineEnds = new Set([0x0a, 0x0d])
/** The character that PDFium returns for a hyphen at the end of a line of text. */
const brokenHyphen = 0x02

/** Readers, including PDFium, return right-to-left text in reading order; on the page it runs from left to right. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const mirrored = new Map([...'()', ...'[]', ...'{}', ...'<>', ...'«»'].map((one, at, all) => [one, all[at ^ 1] ?? one]))

type Placed = Letter & { x: number; y: number; isSpace: boolean }
type Line = { size: number; angle: number; across: number; letters: Placed[] }

/** Groups the characters that PDFium reads on a page into words with their positions. */
export function findWords(characters: Character[]): Word[] {
  return splitIntoLines(characters).flatMap(splitIntoWords)
}

/** Splits where PDFium generates a line break, and where the size, direction or baseline changes. */
function splitIntoLines(characters: Character[]): Line[] {
  const lines: Line[] = []
  let line: Line | undefined
  for (const character of characters) {
    if (lineEnds.has(character.codePoint)) line = undefined
    if (character.isGenerated && character.codePoint === space) {
      const last = line?.letters.at(-1)
      if (last) line?.letters.push({ ...last, text: ' ', isSpace: true })
    }
    const text = readable(character)
    if (text === undefined) continue
    const { x, y, size, angle, box } = character
    const [along, across] = turn(x, y, -angle)
    const last = line?.letters.at(-1)
    if (line && last && !last.isSpace && last.x === x && last.y === y && sameBox(last.box, box)) {
      last.text += text
      continue
    }
    if (!line || !continues(line, size, angle, across)) {
      line = { size, angle, across, letters: [] }
      lines.push(line)
    }
    line.letters.push({ text, along, width: widthOf(character), box, x, y, isSpace: text === ' ' })
  }
  return lines
}

function splitIntoWords({ letters, size, angle }: Line): Word[] {
  const words: Placed[][] = [[]]
  for (const letter of letters) {
    if (letter.isSpace) words.push([])
    else words.at(-1)?.push(letter)
  }
  const placed = words.filter((word) => word.length > 0).map(inOrderOfPlace)
  return placed.map((word, at) => {
    const measured = word.map((letter, nth) => {
      const step = (word[nth + 1]?.along ?? letter.along) - letter.along
      return step > 0 && step < 2 * size ? { ...letter, width: step } : letter
    })
    const [first, last] = [word[0], measured.at(-1)]
    const gap = (placed[at + 1]?.[0]?.along ?? 0) - (last ? last.along + last.width : 0)
    return { letters: measured, x: first?.x ?? 0, y: first?.y ?? 0, size, angle, gap: gap < 100 * size ? gap : 0 }
  })
}

function inOrderOfPlace(word: Placed[]): Placed[] {
  if (!word.some(({ text }) => rightToLeft.test(text))) return word
  return word
    .map((letter) => ({ ...letter, text: mirrored.get(letter.text) ?? letter.text }))
    .sort((one, other) => one.along - other.along)
}

/** Returns undefined for a character that is not a letter or has no size. */
function readable({ codePoint, isGenerated, size }: Character): string | undefined {
  if (isGenerated || !Number.isFinite(size) || size <= 0) return undefined
  if (codePoint === brokenHyphen) return '-'
  if (codePoint < space || codePoint > 0x10ffff || (codePoint & 0xfffe) === 0xfffe) return undefined
  if (codePoint >= 0xd800 && codePoint < 0xe000) return undefined
  return String.fromCodePoint(codePoint)
}

const continues = (line: Line, size: number, angle: number, across: number) =>
  Math.abs(line.size - size) < 0.02 * size &&
  Math.abs(line.angle - angle) < 0.01 &&
  Math.abs(line.across - across) < 0.1 * size

function widthOf({ box: [left, bottom, right, top], angle, size }: Character): number {
  const isUpright = Math.abs(Math.sin(angle)) < 0.01
  const isLying = Math.abs(Math.cos(angle)) < 0.01
  const width = isUpright ? right - left : isLying ? top - bottom : size / 2
  return width > 0 ? Math.min(width, 2 * size) : size / 2
}

const sameBox = (one: Character['box'], other: Character['box']) => one.every((side, at) => side === other[at])

function turn(x: number, y: number, angle: number): [number, number] {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  return [x * cosine - y * sine, x * sine + y * cosine]
}

/** Returns the box of the page that a word covers. */
export function boxOf(word: Word): Character['box'] {
  const sides = (side: 0 | 1 | 2 | 3) => word.letters.map(({ box }) => box[side])
  return [Math.min(...sides(0)), Math.min(...sides(1)), Math.max(...sides(2)), Math.max(...sides(3))]
}
