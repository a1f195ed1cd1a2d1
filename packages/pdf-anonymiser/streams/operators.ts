import { latin1 } from '../syntax/lexer.ts'

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
const takeNames = new Set(['CS', 'cs', 'SCN', 'scn', 'sh', 'gs', 'Do', 'Tf', 'ri'])

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

/** Returns whether the operator uses the operand. Numbers are accepted for every operator. */
export function takesOperand(operator: string, source: Uint8Array, { start, end }: Span): boolean {
  const first = source[start] ?? 0
  if (isNumeric(first)) return true
  if (first === 0x28) return takeText.has(operator)
  if (first === 0x3c) return source[start + 1] !== 0x3c && takeText.has(operator)
  if (first === 0x2f) return takeNames.has(operator)
  if (first !== 0x5b) return true
  return operator === 'TJ' || (operator === 'd' && /^([[\]\s\d.+-]|%.*)*$/.test(latin1(source, start, end)))
}

/** Returns whether a number can begin with this byte. */
export const isNumeric = (byte: number): boolean =>
  (byte >= 48 && byte <= 57) || byte === 43 || byte === 45 || byte === 46
