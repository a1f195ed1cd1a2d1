import { isRegular, isWhitespace, latin1 } from '../syntax/lexer.ts'
import { skipComment, skipContainer, skipString } from '../syntax/skip.ts'

export type Span = { start: number; end: number }

// biome-ignore format: a list of words (ISO 32000-1, annex A)
const drawing = [
  'b', 'B', 'b*', 'B*', 'BT', 'BX', 'c', 'cm', 'CS', 'cs', 'd', 'd0', 'd1', 'Do', 'EMC', 'ET', 'EX', 'f', 'F', 'f*', 'G',
  'g', 'gs', 'h', 'i', 'j', 'J', 'K', 'k', 'l', 'm', 'M', 'n', 'q', 'Q', 're', 'RG', 'rg', 'ri', 's', 'S', 'SC', 'sc',
  'SCN', 'scn', 'sh', 'T*', 'Tc', 'Td', 'TD', 'Tf', 'Tj', 'TJ', 'TL', 'Tm', 'Tr', 'Ts', 'Tw', 'Tz', 'v', 'w', 'W', 'W*', 'y',
  "'", '"',
]
const known = new Map([...drawing, 'BI', 'BMC', 'BDC'].map((word) => [keyOf(Buffer.from(word), 0, word.length), word]))
const takeText = new Set(['Tj', 'TJ', "'", '"'])
const takeNames = new Set(['CS', 'cs', 'SCN', 'scn', 'sh', 'gs', 'Do', 'Tf'])
const intents = new Set(['AbsoluteColorimetric', 'RelativeColorimetric', 'Saturation', 'Perceptual'])

/** Returns the operator at this position if it draws, prepares drawing, or begins marked content or an inline image. */
export const findOperator = (source: Uint8Array, start: number, end: number): string | undefined =>
  known.get(keyOf(source, start, end))

/**
 * Packs at most three bytes into a number: a content stream has millions of tokens, and a string for each takes
 * seconds.
 */
function keyOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 3) return -1
  let key = 0
  for (let at = start; at < end; at++) key = key * 256 + (bytes[at] ?? 0)
  return key
}

const none: ReadonlySet<Span> = new Set()

/** Returns the texts, or lists of texts, that are not shown because readers show only the last. */
export function findSuperseded(operator: string, source: Uint8Array, operands: Span[]): ReadonlySet<Span> {
  if (operands.length < 2 || !takeText.has(operator)) return none
  const isText = (first: number | undefined) =>
    first === 0x28 || first === 0x3c || (first === 0x5b && operator === 'TJ')
  return new Set(operands.filter(({ start }) => isText(source[start])).slice(0, -1))
}

/** Returns whether the operator uses such an operand. Numbers are accepted for every operator. */
export function takesOperand(operator: string, source: Uint8Array, { start, end }: Span): boolean {
  const first = source[start] ?? 0
  if (first === 0x28) return takeText.has(operator)
  if (first === 0x3c) return source[start + 1] !== 0x3c && takeText.has(operator)
  if (first === 0x2f)
    return takeNames.has(operator) || (operator === 'ri' && intents.has(latin1(source, start + 1, end)))
  if (first !== 0x5b) return true
  return operator === 'TJ' || (operator === 'd' && isDashes(latin1(source, start, end)))
}

const isDashes = (array: string) => !/[^[\]\s\d.+-]/.test(array.replace(/%.*/g, ''))

/** Returns the texts and distances of a `TJ` array as they are; undefined when it contains nothing else. */
export function cleanTexts(source: Uint8Array, { start, end }: Span): string | undefined {
  const kept: string[] = []
  let isClean = source[end - 1] === 0x5d
  for (let at = start + 1; at < end - 1; ) {
    const from = at
    const byte = source[at] ?? 0
    if (isWhitespace(byte)) {
      at++
      continue
    }
    if (byte === 0x25) {
      at = skipComment(source, at)
      continue
    }
    if (byte === 0x5b || (byte === 0x3c && source[at + 1] === 0x3c)) at = skipContainer(source, at, () => undefined)
    else if (byte === 0x28 || byte === 0x3c) at = skipString(source, at)
    else at = skipWord(source, at)
    const isText = byte === 0x28 || (byte === 0x3c && source[from + 1] !== 0x3c)
    if (isText || isNumber(source, from, at)) kept.push(latin1(source, from, at))
    else isClean = false
  }
  return isClean ? undefined : `[${kept.join(' ')}]`
}

/** Skips a name, a number, an operator, or a single delimiter. */
export function skipWord(source: Uint8Array, at: number): number {
  let end = at + 1
  while (isRegular(source[end])) end++
  return end
}

/** Returns whether readers take the word for a number. Some accept several signs and points, and an exponent. */
export function isNumber(source: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = source[at] ?? 0
    const isExponent = at > start && (byte === 0x45 || byte === 0x65)
    if (!isExponent && !(byte >= 48 && byte <= 57) && byte !== 43 && byte !== 45 && byte !== 46) return false
  }
  return true
}
