import { latin1 } from '../syntax/lexer.ts'

export type Span = { start: number; end: number }

// biome-ignore format: a list of words (ISO 32000-1, annex A)
const operators = new Set([
  'b', 'B', 'b*', 'B*', 'BT', 'BX', 'c', 'cm', 'CS', 'cs', 'd', 'd0', 'd1', 'Do', 'EMC', 'ET', 'EX', 'f', 'F', 'f*', 'G',
  'g', 'gs', 'h', 'i', 'j', 'J', 'K', 'k', 'l', 'm', 'M', 'n', 'q', 'Q', 're', 'RG', 'rg', 'ri', 's', 'S', 'SC', 'sc',
  'SCN', 'scn', 'sh', 'T*', 'Tc', 'Td', 'TD', 'Tf', 'Tj', 'TJ', 'TL', 'Tm', 'Tr', 'Ts', 'Tw', 'Tz', 'v', 'w', 'W', 'W*', 'y',
  "'", '"',
])
const takeText = new Set(['Tj', 'TJ', "'", '"'])
const takeNames = new Set(['CS', 'cs', 'SCN', 'scn', 'sh', 'gs', 'Do', 'Tf', 'ri'])

/** An operator that draws or prepares to; those of marked content and inline pictures are not among them. */
export const isOperator = (word: string) => operators.has(word)

/** Whether the operator reads what is written there. Numbers are let pass anywhere. */
export function takesOperand(operator: string, source: Uint8Array, { start, end }: Span): boolean {
  const first = source[start]
  if (first === 0x28) return takeText.has(operator)
  if (first === 0x3c) return source[start + 1] !== 0x3c && takeText.has(operator)
  if (first === 0x2f) return takeNames.has(operator)
  if (first !== 0x5b) return true
  return operator === 'TJ' || (operator === 'd' && /^([[\]\s\d.+-]|%.*)*$/.test(latin1(source, start, end)))
}
