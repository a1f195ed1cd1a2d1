import { latin1 } from '../syntax/lexer.ts'
import { PdfRejectedError } from '../syntax/values.ts'

// biome-ignore format: a list of words (ISO 32000-1, table 42)
const operators = new Set([
  'abs', 'add', 'atan', 'ceiling', 'cos', 'cvi', 'cvr', 'div', 'exp', 'floor', 'idiv', 'ln', 'log', 'mod', 'mul', 'neg',
  'round', 'sin', 'sqrt', 'sub', 'truncate', 'and', 'bitshift', 'eq', 'false', 'ge', 'gt', 'le', 'lt', 'ne', 'not', 'or',
  'true', 'xor', 'if', 'ifelse', 'copy', 'dup', 'exch', 'index', 'pop', 'roll',
])
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Functions are short, and all tokens are kept in memory. */
const maxBytes = 1024 * 1024

/**
 * Rewrites a calculator function with only its numbers, operators and braces. Comments are removed, because programs
 * identify themselves in them.
 */
export function cleanPostScriptFunction(source: Uint8Array): Uint8Array {
  if (source.length > maxBytes) throw new PdfRejectedError('oversized function')
  const words: string[] = []
  let open = 0
  for (const [word] of latin1(source)
    .replace(/%[^\r\n]*/g, ' ')
    .matchAll(/[{}]|[^\s\0{}]+/g)) {
    if (word === '{') open++
    else if (word === '}') open--
    else if (open === 0 || !(operators.has(word) || number.test(word)))
      throw new PdfRejectedError('unknown word in a function')
    words.push(word)
    if (open === 0) break
  }
  if (open !== 0) throw new PdfRejectedError('a function without an end')
  return Buffer.from(words.join(' '))
}
