import { Lexer, latin1 } from './lexer.ts'
import { type PdfDict, PdfRef, PdfRejectedError, PdfStream, type PdfValue } from './values.ts'

/**
 * Reads a file that PDFium has just saved: one revision, one plain cross-reference table with exact offsets, and direct
 * stream lengths. Objects are parsed on demand, so unreachable ones are never parsed. Nothing is repaired: an object
 * that is not exactly at its offset is missing.
 */
export class PdfFile {
  readonly trailer: PdfDict
  private readonly bytes: Uint8Array
  private readonly offsets = new Map<number, number>()
  private readonly objects = new Map<number, PdfValue>()

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    const tail = latin1(bytes, Math.max(0, bytes.length - 64))
    const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]
    if (start === undefined) throw new PdfRejectedError('no startxref')
    const lexer = new Lexer(bytes, Number(start))
    lexer.readKeyword('xref')
    this.readSections(lexer)
    lexer.readKeyword('trailer')
    const trailer = lexer.readValue()
    if (!(trailer instanceof Map)) throw new PdfRejectedError('no trailer')
    if (trailer.has('Encrypt') || trailer.has('Prev') || trailer.has('XRefStm'))
      throw new PdfRejectedError('not a plain file')
    this.trailer = trailer
  }

  /** Returns the value itself, or the target of a reference; null if the target is missing. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value ?? null
    for (let hops = 0; current instanceof PdfRef; hops++) {
      if (hops > 16) throw new PdfRejectedError('references in a circle')
      current = this.object(current.number)
    }
    return current
  }

  private object(number: number): PdfValue {
    const known = this.objects.get(number)
    if (known !== undefined) return known
    const offset = this.offsets.get(number)
    const value = offset === undefined ? null : this.readObject(number, offset)
    this.objects.set(number, value)
    return value
  }

  private readObject(number: number, offset: number): PdfValue {
    const lexer = new Lexer(this.bytes, offset)
    if (lexer.readInteger() !== number) throw new PdfRejectedError('object not at its place')
    lexer.readInteger()
    lexer.readKeyword('obj')
    const value = lexer.readValue()
    if (!(value instanceof Map)) return value
    lexer.skipBlank()
    if (latin1(this.bytes, lexer.position, lexer.position + 6) !== 'stream') return value
    return new PdfStream(value, this.readStreamData(lexer.position + 6, value.get('Length')))
  }

  private readStreamData(afterKeyword: number, length: PdfValue | undefined): Uint8Array {
    let start = afterKeyword
    if (this.bytes[start] === 13) start++
    if (this.bytes[start] === 10) start++
    if (typeof length !== 'number' || length < 0 || start + length > this.bytes.length) {
      throw new PdfRejectedError('stream without a length')
    }
    const end = start + length
    if (!/^\s*endstream/.test(latin1(this.bytes, end, end + 16))) throw new PdfRejectedError('stream of another length')
    return this.bytes.subarray(start, end)
  }

  private readSections(lexer: Lexer): void {
    for (;;) {
      lexer.skipBlank()
      if (this.bytes[lexer.position] === 0x74) return // trailer
      const first = lexer.readInteger()
      const count = lexer.readInteger()
      for (let entry = 0; entry < count; entry++) {
        const offset = lexer.readInteger()
        lexer.readInteger()
        const kind = lexer.readItem(0)
        const inUse = typeof kind === 'object' && kind !== null && 'text' in kind && kind.text === 'n'
        if (inUse) this.offsets.set(first + entry, offset)
      }
    }
  }
}
