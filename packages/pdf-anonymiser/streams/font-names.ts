import { containsName, type NameMatcher } from '../rules/names.ts'
import { isRegular, isWhitespace, latin1 } from '../syntax/lexer.ts'
import { skipComment, skipString } from '../syntax/skip.ts'

/** Names in a font program are overwritten with the same length, so that all offsets stay valid. */
const filler = 'x'.charCodeAt(0)

const segmentHeaderSize = 6
/** The mark of a Type 1 font at its beginning, by which readers know the format. */
const formatMark = /^%!(?:PS-AdobeFont-1\.\d|FontType1(?:-1\.\d)?)?/

/** Blanks the strings in the clear-text part: name, notices and comments. */
export function blankType1Names(data: Uint8Array): Uint8Array {
  const bytes = Buffer.from(data)
  const begin = bytes[0] === 0x80 ? segmentHeaderSize : 0
  let previous = ''
  for (let at = begin; at < bytes.length; ) {
    const start = at
    const byte = bytes[at]
    if (isWhitespace(byte)) at++
    else if (byte === 0x25) {
      at = skipComment(bytes, at)
      const [mark] = (start === begin && formatMark.exec(latin1(bytes, start, at))) || ['%']
      bytes.fill(filler, start + mark.length, at)
    } else if (byte === 0x28) {
      at = skipString(bytes, at)
      bytes.fill(filler, start + 1, at - 1)
    } else {
      at++
      if (byte === 0x2f || isRegular(byte)) while (isRegular(bytes[at])) at++
      const word = latin1(bytes, start, at)
      if (word === 'eexec') break
      if (previous === '/FontName' && byte === 0x2f) bytes.fill(filler, start + 1, at)
      previous = word
    }
  }
  return bytes
}

/**
 * Blanks the font's names and notices, and each string that contains a name; readers find such a glyph by its number.
 */
export function blankCffNames(data: Uint8Array, names: NameMatcher): Uint8Array {
  const bytes = Buffer.from(data)
  const fontNames = readIndex(bytes, bytes[2] ?? 0)
  for (const { start, end } of fontNames.items) bytes.fill(filler, start, end)
  const fonts = readIndex(bytes, fontNames.end)
  const strings = readIndex(bytes, fonts.end)
  const font = fonts.items.slice(0, 1).flatMap((item) => readDict(bytes, item))
  const parts = readIndex(bytes, font.findLast(({ operator }) => operator === partsOperator)?.operand ?? -1)
  const entries = [...font, ...parts.items.flatMap((item) => readDict(bytes, item))]
  const texts = entries.filter(({ operator }) => textOperators.has(operator))
  const describing = new Set(texts.map(({ operand }) => operand - standardStrings))
  for (const [number, { start, end }] of strings.items.entries()) {
    if (describing.has(number) || containsName(bytes.toString('latin1', start, end), names))
      bytes.fill(filler, start, end)
  }
  return bytes
}

/** The strings that every reader knows, which come before those of the font (CFF specification, appendix A). */
const standardStrings = 391
const longOperator = 12
/** An operator of two bytes. */
const escaped = (operator: number) => longOperator * 256 + operator
/** Version, notice, full name, family, weight, copyright, PostScript code, and the names of the fonts it was made of. */
const textOperators = new Set([0, 1, 2, 3, 4, escaped(0), escaped(21), escaped(22), escaped(38)])
/** The position of the dictionaries of a font of several parts. */
const partsOperator = escaped(36)

/** Returns the operators of a CFF DICT, each with its last operand if that is a whole number, or NaN. */
function readDict(bytes: Buffer, { start, end }: { start: number; end: number }) {
  const entries: { operator: number; operand: number }[] = []
  let operand = Number.NaN
  for (let at = start; at < end; ) {
    const byte = bytes[at++] ?? 0
    const next = bytes[at] ?? 0
    if (byte <= 21) {
      entries.push({ operator: byte === longOperator ? escaped(next) : byte, operand })
      operand = Number.NaN
      if (byte === longOperator) at++
    } else if (byte === 28 && at + 2 <= end) {
      operand = bytes.readInt16BE(at)
      at += 2
    } else if (byte === 29 && at + 4 <= end) {
      operand = bytes.readInt32BE(at)
      at += 4
    } else if (byte === 30) {
      while (at < end && (bytes[at] ?? 0) % 16 !== 15) at++
      at++
      operand = Number.NaN
    } else if (byte >= 32 && byte <= 246) operand = byte - 139
    else if (byte >= 247 && byte <= 250) operand = (byte - 247) * 256 + (bytes[at++] ?? 0) + 108
    else if (byte >= 251 && byte <= 254) operand = -(byte - 251) * 256 - (bytes[at++] ?? 0) - 108
  }
  return entries
}

/** Returns the positions of the items of a CFF INDEX; none if it is damaged. */
function readIndex(bytes: Buffer, at: number): { items: { start: number; end: number }[]; end: number } {
  const count = at >= 0 && at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0
  if (count === 0) return { items: [], end: at + 2 }
  const size = bytes[at + 2] ?? 0
  const base = at + 2 + (count + 1) * size
  if (size < 1 || size > 4 || base >= bytes.length) return { items: [], end: bytes.length }
  const offsets = Array.from({ length: count + 1 }, (_, n) => base + bytes.readUIntBE(at + 3 + n * size, size))
  const items = offsets.slice(1).map((end, n) => ({ start: offsets[n] ?? 0, end }))
  const isSound = items.every(({ start, end }) => start <= end && end <= bytes.length)
  return { items: isSound ? items : [], end: offsets.at(-1) ?? bytes.length }
}

const postHeaderSize = 32

/** Blanks the glyph names, each of which follows its length, in a `post` table of version 2. */
export function blankPostNames(data: Uint8Array, names: NameMatcher): Uint8Array {
  const bytes = Buffer.from(data)
  if (bytes.length < postHeaderSize + 2 || bytes.readUInt32BE(0) !== 0x20000) return data
  for (let at = postHeaderSize + 2 + 2 * bytes.readUInt16BE(postHeaderSize); at < bytes.length; ) {
    const end = at + 1 + (bytes[at] ?? 0)
    if (containsName(bytes.toString('latin1', at + 1, end), names))
      bytes.fill(filler, at + 1, Math.min(end, bytes.length))
    at = end
  }
  return bytes
}
