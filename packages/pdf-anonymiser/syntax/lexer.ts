import { hexDigit, isRegular, isWhitespace } from './characters.ts'
import { type PdfArray, type PdfDict, PdfName, PdfRef, PdfRefused, PdfString, type PdfValue } from './values.ts'

const maxDepth = 64

/** A bare word that is no value: `obj`, `endobj`, `stream`, `xref`, … */
export class Keyword {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Reads values from bytes, strictly: whatever is not plain PDF syntax raises `PdfRefused`. */
export class Lexer {
  readonly bytes: Uint8Array
  position: number

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes
    this.position = position
  }

  readValue(depth = 0): PdfValue {
    const item = this.readItem(depth)
    if (item instanceof Keyword) throw new PdfRefused(`unexpected word "${item.text.slice(0, 20)}"`)
    return item
  }

  readKeyword(text: string): void {
    const item = this.readItem(0)
    if (!(item instanceof Keyword) || item.text !== text) throw new PdfRefused(`"${text}" expected`)
  }

  readInteger(): number {
    const item = this.readNumberOrKeyword()
    if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < 0)
      throw new PdfRefused('whole number expected')
    return item
  }

  readItem(depth: number): PdfValue | Keyword {
    if (depth > maxDepth) throw new PdfRefused('nested too deeply')
    this.skipBlank()
    const byte = this.bytes[this.position]
    if (byte === undefined) throw new PdfRefused('unexpected end')
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
    if (this.position === start) throw new PdfRefused('unexpected delimiter')
    const text = latin1(this.bytes, start, this.position)
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : new Keyword(text)
  }

  /** `12 0 R`, of which `first` has been read; null, and nothing more read, when it is a plain number. */
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
      if (byte === undefined) throw new PdfRefused('unfinished string')
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

  /** At a backslash; ends on the escape's last byte. */
  private readEscape(out: number[]): void {
    const byte = this.bytes[++this.position]
    if (byte === undefined) throw new PdfRefused('unfinished string')
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
      if (byte === undefined) throw new PdfRefused('unfinished string')
      if (byte === 0x3e) break
      if (hexDigit(byte) >= 0) digits.push(hexDigit(byte))
      else if (!isWhitespace(byte)) throw new PdfRefused('bad hexadecimal string')
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
      if (this.bytes[this.position] !== 0x2f) throw new PdfRefused('name expected in dictionary')
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

/** One character a byte. */
export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.max(0, Math.min(end, bytes.length) - start)).toString(
    'latin1',
  )
}
