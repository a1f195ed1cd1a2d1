import { type PdfArray, type PdfDict, PdfName, PdfRef, PdfRejectedError, PdfString, type PdfValue } from './values.ts'

const maxDepth = 64

/** A bare word that is not a value: `obj`, `endobj`, `stream`, `xref`, … */
export class Keyword {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Parses values strictly: it throws `PdfRejectedError` for anything that is not plain PDF syntax. */
export class Lexer {
  readonly bytes: Uint8Array
  position: number

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes
    this.position = position
  }

  readValue(depth = 0): PdfValue {
    const item = this.readItem(depth)
    if (item instanceof Keyword) throw new PdfRejectedError(`unexpected word "${item.text.slice(0, 20)}"`)
    return item
  }

  readKeyword(text: string): void {
    const item = this.readItem(0)
    if (!(item instanceof Keyword) || item.text !== text) throw new PdfRejectedError(`"${text}" expected`)
  }

  readInteger(): number {
    const item = this.readNumberOrKeyword()
    if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < 0)
      throw new PdfRejectedError('whole number expected')
    return item
  }

  readItem(depth: number): PdfValue | Keyword {
    if (depth > maxDepth) throw new PdfRejectedError('nested too deeply')
    this.skipBlank()
    const byte = this.bytes[this.position]
    if (byte === undefined) throw new PdfRejectedError('unexpected end')
    if (byte === 0x2f) return this.readName()
    if (byte === 0x28) return this.readLiteralString()
    if (byte === 0x5b) return this.readArray(depth)
    if (byte === 0x3c) return this.bytes[this.position + 1] === 0x3c ? this.readDict(depth) : this.readHexString()
    const word = this.readNumberOrKeyword()
    if (word instanceof Keyword) {
      if (word.text === 'true') return true
      if (word.text === 'false') return false
      if (word.text === 'null') return null
      return word
    }
    return this.readReference(word) ?? word
  }

  skipBlank(): void {
    for (;;) {
      const byte = this.bytes[this.position]
      if (byte === 0x25) {
        while (this.position < this.bytes.length && !isLineEnd(this.bytes[this.position])) this.position++
      } else if (isWhitespace(byte)) this.position++
      else return
    }
  }

  private readNumberOrKeyword(): number | Keyword {
    this.skipBlank()
    const start = this.position
    while (isRegular(this.bytes[this.position])) this.position++
    if (this.position === start) throw new PdfRejectedError('unexpected delimiter')
    const text = latin1(this.bytes, start, this.position)
    return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : new Keyword(text)
  }

  /**
   * Reads a reference such as `12 0 R` after its number `first`. Returns null and consumes nothing for a plain number.
   */
  private readReference(first: number): PdfRef | null {
    if (!Number.isSafeInteger(first) || first < 0) return null
    const match = /^\s+(\d{1,5})\s+R(?![A-Za-z0-9])/.exec(latin1(this.bytes, this.position, this.position + 16))
    if (!match) return null
    this.position += match[0].length
    return new PdfRef(first)
  }

  private readName(): PdfName {
    this.position++
    let text = ''
    for (;;) {
      const byte = this.bytes[this.position]
      if (byte === undefined || !isRegular(byte)) return new PdfName(text)
      const high = hexDigit(this.bytes[this.position + 1])
      const low = hexDigit(this.bytes[this.position + 2])
      if (byte === 0x23 && high >= 0 && low >= 0) {
        text += String.fromCharCode(high * 16 + low)
        this.position += 3
      } else {
        text += String.fromCharCode(byte)
        this.position++
      }
    }
  }

  private readLiteralString(): PdfString {
    const out: number[] = []
    let open = 1
    for (this.position++; ; this.position++) {
      const byte = this.bytes[this.position]
      if (byte === undefined) throw new PdfRejectedError('unfinished string')
      if (byte === 0x5c) {
        this.readEscape(out)
        continue
      }
      if (byte === 0x28) open++
      if (byte === 0x29 && --open === 0) break
      out.push(byte)
    }
    this.position++
    return new PdfString(Uint8Array.from(out))
  }

  /** Starts at a backslash and stops on the last byte of the escape. */
  private readEscape(out: number[]): void {
    const byte = this.bytes[++this.position]
    if (byte === undefined) throw new PdfRejectedError('unfinished string')
    const plain = escapes.get(byte)
    if (plain !== undefined) out.push(plain)
    else if (byte >= 48 && byte <= 55) {
      let code = byte - 48
      for (let digits = 1; digits < 3; digits++) {
        const next = this.bytes[this.position + 1]
        if (next === undefined || next < 48 || next > 55) break
        code = code * 8 + next - 48
        this.position++
      }
      out.push(code & 255)
    } else if (byte === 13) {
      if (this.bytes[this.position + 1] === 10) this.position++
    } else if (byte !== 10) out.push(byte)
  }

  private readHexString(): PdfString {
    const digits: number[] = []
    for (this.position++; ; this.position++) {
      const byte = this.bytes[this.position]
      if (byte === undefined) throw new PdfRejectedError('unfinished string')
      if (byte === 0x3e) break
      if (hexDigit(byte) >= 0) digits.push(hexDigit(byte))
      else if (!isWhitespace(byte)) throw new PdfRejectedError('bad hexadecimal string')
    }
    this.position++
    if (digits.length % 2 === 1) digits.push(0)
    return new PdfString(Uint8Array.from({ length: digits.length / 2 }, (_, at) => pair(digits, at)))
  }

  private readArray(depth: number): PdfArray {
    this.position++
    const items: PdfArray = []
    for (;;) {
      this.skipBlank()
      if (this.bytes[this.position] === 0x5d) break
      items.push(this.readValue(depth + 1))
    }
    this.position++
    return items
  }

  private readDict(depth: number): PdfDict {
    this.position += 2
    const entries: PdfDict = new Map()
    for (;;) {
      this.skipBlank()
      if (this.bytes[this.position] === 0x3e && this.bytes[this.position + 1] === 0x3e) break
      if (this.bytes[this.position] !== 0x2f) throw new PdfRejectedError('name expected in dictionary')
      const key = this.readName().text
      entries.set(key, this.readValue(depth + 1))
    }
    this.position += 2
    return entries
  }
}

const escapes = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
])
const isLineEnd = (byte: number | undefined) => byte === 10 || byte === 13
const pair = (digits: number[], at: number) => (digits[at * 2] ?? 0) * 16 + (digits[at * 2 + 1] ?? 0)

/** Decodes each byte as one character. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, Math.min(end, bytes.length) - start)).toString(
    'latin1',
  )
}

/**
 * Decodes a text string in UTF-16, UTF-8 (ISO 32000-2, 7.9.2.2) or byte-swapped UTF-16. PDFDocEncoding is read as
 * UTF-8, because programs write UTF-8 without a mark too: where accents matter, see also `decodePdfDoc`.
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = latin1(bytes, 0, 2)
  return new TextDecoder(mark === '\xfe\xff' ? 'utf-16be' : mark === '\xff\xfe' ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** The characters of PDFDocEncoding that differ from Latin-1 (ISO 32000-1, D.3). */
const pdfDocCharacters = new Map([
  ...Array.from('˘ˇˆ˙˝˛˚˜', (character, at) => [String.fromCharCode(0x18 + at), character] as const),
  ...Array.from(
    '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž',
    (character, at) => [String.fromCharCode(0x80 + at), character] as const,
  ),
  ['\xa0', '€'],
])

/** Decodes a text string without a mark as the standard prescribes. */
export const decodePdfDoc = (bytes: Uint8Array): string =>
  latin1(bytes).replace(/[^\x20-\x7e]/g, (character) => pdfDocCharacters.get(character) ?? character)

/** Lookup tables by byte for white space and delimiters in PDF syntax (ISO 32000-1, 7.2.2). */
const whitespace = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) whitespace[byte] = 1

const delimiters = new Uint8Array(256)
for (const character of '()<>[]{}/%') delimiters[character.charCodeAt(0)] = 1

export const isWhitespace = (byte: number | undefined) => byte !== undefined && whitespace[byte] === 1
/** Returns whether the byte is part of a number, name or operator; false past the end. */
export const isRegular = (byte: number | undefined) =>
  byte !== undefined && whitespace[byte] === 0 && delimiters[byte] === 0

/** Returns the value of a hexadecimal digit, or -1. */
export function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  if (byte >= 65 && byte <= 70) return byte - 55
  if (byte >= 97 && byte <= 102) return byte - 87
  return -1
}
