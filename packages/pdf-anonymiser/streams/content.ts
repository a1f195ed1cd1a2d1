import { ResourceNames } from '../rules/resource-names.ts'
import { isWhitespace, Lexer, latin1 } from '../syntax/lexer.ts'
import { skipComment, skipContainer, skipString } from '../syntax/skip.ts'
import { PdfName, PdfRejectedError } from '../syntax/values.ts'
import { Budget } from './filters.ts'
import { cleanInlineImage, type InlineImages } from './inline-image.ts'
import { cleanMark, type KeepProperties, Nesting } from './marked-content.ts'
import { cleanTexts, findOperator, findSuperseded, isNumber, type Span, skipWord, takesOperand } from './operators.ts'

/** The limit for one instruction; readers keep only the last few operands. */
const maxOperands = 100_000
const blank = Buffer.from(' ')
const words = new Set(['true', 'false', 'null'])

/**
 * Rewrites a content stream so that it draws the same without hidden information. Comments, properties of marked
 * content (replacement texts, names of placed files), unknown operators and unused operands are removed. Layers keep
 * their resource names. The drawn content itself is the author's.
 */
export function cleanContent(
  source: Uint8Array,
  names = new ResourceNames(),
  keepProperties: KeepProperties = () => new Map(),
  inlineBudget = new Budget(Number.POSITIVE_INFINITY),
): Uint8Array {
  const images: InlineImages = { names, budget: inlineBudget, missingMarks: new Set() }
  const edits = new Edits(source)
  const dropComment = (start: number, end: number) => edits.replace(start, end, blank)
  const nesting = new Nesting()
  let operands: Span[] = []
  let at = 0
  while (at < source.length) {
    const byte = source[at]
    if (isWhitespace(byte)) {
      at++
      continue
    }
    const end = skipToken(source, at, dropComment)
    if (byte === 0x25) dropComment(at, end)
    else if (isOperand(source, at, end)) {
      if (operands.push({ start: at, end }) > maxOperands) throw new PdfRejectedError('an instruction without an end')
    } else {
      at = cleanInstruction(source, operands, { start: at, end }, { edits, nesting, images, keepProperties })
      operands = []
      edits.settle()
      continue
    }
    at = end
  }
  const [unused] = operands
  if (unused) edits.replace(unused.start, source.length)
  edits.replace(source.length, source.length, Buffer.from(nesting.formatEnds()))
  return edits.apply()
}

type Rules = { edits: Edits; nesting: Nesting; images: InlineImages; keepProperties: KeepProperties }

/** @returns the position where the next instruction can begin. */
function cleanInstruction(
  source: Uint8Array,
  operands: Span[],
  word: Span,
  { edits, nesting, images, keepProperties }: Rules,
): number {
  const { names } = images
  const operator = findOperator(source, word.start, word.end)
  const start = operands[0]?.start ?? word.start
  if (operator === 'BI') {
    const image = cleanInlineImage(source, word.end, images)
    edits.replace(start, image.end, image.bytes)
    return image.end
  }
  if (operator !== undefined && !nesting.follow(operator)) {
    edits.replace(start, word.end)
    return word.end
  }
  const rename = (operand: Span) => {
    const name = readName(source, operand)
    if (name === undefined || names.replace(name) === name) return
    edits.replace(operand.start, operand.end, Buffer.from(`/${names.replace(name)}`))
  }
  if (operator === 'BDC' || operator === 'BMC') {
    const used = operands.slice(operator === 'BDC' ? -2 : -1)
    edits.replace(start, word.end, Buffer.from(cleanMark(source, used, names, keepProperties), 'latin1'))
  } else if (operator === undefined) edits.replace(start, word.end)
  else {
    const superseded = findSuperseded(operator, source, operands)
    for (const operand of operands) {
      const texts = operator === 'TJ' && source[operand.start] === 0x5b ? cleanTexts(source, operand) : undefined
      const isUsed = takesOperand(operator, source, operand) && !superseded.has(operand)
      if (!isUsed) edits.replace(operand.start, operand.end, blank)
      else if (texts !== undefined) edits.replace(operand.start, operand.end, Buffer.from(texts, 'latin1'))
      else if (operator !== 'ri') rename(operand)
    }
  }
  return word.end
}

function skipToken(source: Uint8Array, at: number, onComment: (start: number, end: number) => void): number {
  const byte = source[at]
  if (byte === 0x25) return skipComment(source, at)
  if (byte === 0x5b || (byte === 0x3c && source[at + 1] === 0x3c)) return skipContainer(source, at, onComment)
  if (byte === 0x28 || byte === 0x3c) return skipString(source, at)
  return skipWord(source, at)
}

function isOperand(source: Uint8Array, start: number, end: number): boolean {
  const byte = source[start] ?? 0
  if (byte === 0x28 || byte === 0x3c || byte === 0x5b || byte === 0x2f || isNumber(source, start, end)) return true
  return end - start >= 4 && end - start <= 5 && words.has(latin1(source, start, end))
}

function readName(source: Uint8Array, { start, end }: Span): string | undefined {
  if (source[start] !== 0x2f) return undefined
  const name = new Lexer(source.subarray(start, end)).readValue()
  return name instanceof PdfName ? name.text : undefined
}

type Edit = { start: number; end: number; by: Uint8Array }

/** The limit for replacements that a later one may still cover, which are few in ordinary instructions. */
const maxUnsettled = 100_000

/** Replacements in bytes that are read once from front to back. One that covers others supersedes them. */
class Edits {
  private readonly source: Uint8Array
  private readonly unsettled: Edit[] = []
  private copied = 0
  private out: Uint8Array
  private size = 0

  constructor(source: Uint8Array) {
    this.source = source
    this.out = new Uint8Array(source.length)
  }

  replace(start: number, end: number, by: Uint8Array = new Uint8Array()): void {
    if (this.unsettled.push({ start, end, by }) > maxUnsettled) throw new PdfRejectedError('too much to replace')
  }

  /** Declares that no later replacement begins before the end of the current ones. */
  settle(): void {
    if (this.unsettled.length > 1) this.unsettled.sort((one, other) => one.start - other.start || other.end - one.end)
    for (const { start, end, by } of this.unsettled) {
      if (start < this.copied) continue
      this.append(this.source.subarray(this.copied, start))
      this.append(by)
      this.copied = end
    }
    this.unsettled.length = 0
  }

  apply(): Uint8Array {
    this.settle()
    this.append(this.source.subarray(this.copied))
    this.copied = this.source.length
    return this.out.subarray(0, this.size)
  }

  private append(bytes: Uint8Array): void {
    if (this.size + bytes.length > this.out.length) {
      const larger = new Uint8Array((this.size + bytes.length) * 2)
      larger.set(this.out)
      this.out = larger
    }
    this.out.set(bytes, this.size)
    this.size += bytes.length
  }
}
