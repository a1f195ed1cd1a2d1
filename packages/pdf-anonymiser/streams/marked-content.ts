import { cleanTag } from '../rules/marked-content.ts'
import type { ResourceNames } from '../rules/resource-names.ts'
import { Lexer } from '../syntax/lexer.ts'
import { type PdfDict, PdfName, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import type { Span } from './operators.ts'

export type KeepProperties = (properties: PdfDict) => PdfDict

/**
 * Writes the beginning of marked content: a layer by its name, or the properties that screen readers need to find it in
 * the tags. All other properties are removed.
 * @param operands the tag, and the properties if there are any.
 */
export function cleanMark(source: Uint8Array, operands: Span[], names: ResourceNames, keep: KeepProperties): string {
  const [tag, properties] = operands.map(({ start, end }) => readOperand(source.subarray(start, end)))
  const cleanedTag = tag instanceof PdfName ? cleanTag(tag.text) : 'M'
  if (properties instanceof PdfName) return `/${cleanedTag} /${names.replace(properties.text)} BDC`
  const kept: PdfDict = properties instanceof Map ? keep(properties) : new Map()
  const role = cleanedTag === 'OC' ? 'M' : cleanedTag
  return kept.size > 0 ? `/${role} ${formatValue(kept)} BDC` : `/${role} BMC`
}

function readOperand(bytes: Uint8Array): PdfValue {
  try {
    return new Lexer(bytes).readValue()
  } catch {
    return null
  }
}

const endOf: Record<string, 'Q' | 'EMC'> = { q: 'Q', BMC: 'EMC', BDC: 'EMC' }

/**
 * Counts the saved graphics states and the open marked content of a content stream. A stream must close what it opened,
 * because something can be drawn after it. Readers ignore an unmatched end, unless the stream is drawn inside another.
 */
export class Nesting {
  private readonly open = { Q: 0, EMC: 0 }

  /** @returns false for an end without a beginning. */
  follow(operator: string): boolean {
    const end = endOf[operator]
    if (end) this.open[end]++
    if (operator !== 'Q' && operator !== 'EMC') return true
    if (this.open[operator] === 0) return false
    this.open[operator]--
    return true
  }

  /** Returns the operators that close everything still open. */
  formatEnds(): string {
    return ' EMC'.repeat(this.open.EMC) + ' Q'.repeat(this.open.Q)
  }
}
